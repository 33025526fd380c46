#pragma once

#include <string>

#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/sha256.hpp"

namespace assay::inline v0::detail {

/// A text that two subjects share only if they are equal: each part behind its length, the configuration in the order
/// of its names.
[[nodiscard]] inline std::string canonical_text(const BaselineSubject& subject) {
  std::string text = "assay-baseline-key/1\n";
  const auto add = [&](const std::string& part) { text += std::to_string(part.size()) + ":" + part + "\n"; };
  add(subject.test);
  add(subject.output);
  for (const auto& [name, value] : subject.configuration) {
    add(name);
    add(value);
  }
  return text;
}

}  // namespace assay::inline v0::detail
