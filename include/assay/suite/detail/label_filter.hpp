#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/vocabulary.hpp"

namespace assay::inline v0::detail {

/// The names under which a formats label can be selected: the whole ("f16xbf16.f32.f32") and its input formats ("f16",
/// "bf16"). Inputs that differ are joined by an 'x' after at least two characters, so that "mxfp4" stays one name.
[[nodiscard]] std::vector<std::string> names_of_formats(const std::string& formats);

/// A list of a selection that reads one label of the cases.
struct LabelFilter {
  std::string label;
  std::string word;  ///< one of them, in messages
  const std::vector<std::string>* entries;

  [[nodiscard]] std::vector<std::string> names(const Case& entry) const {
    const auto found = entry.labels.find(label);
    if (found == entry.labels.end()) return {};
    return label == "formats" ? names_of_formats(found->second) : std::vector<std::string>{found->second};
  }

  [[nodiscard]] bool matches(const Case& entry) const {
    for (const std::string& name : names(entry))
      if (any_matches(*entries, name)) return true;
    return false;
  }

  [[nodiscard]] Result<void> check(const Suite& suite) const;

  /// "backend onednn or eigen", for messages.
  [[nodiscard]] std::string description() const { return word + " " + joined(*entries, " or "); }
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/label_filter.ipp"
#endif
