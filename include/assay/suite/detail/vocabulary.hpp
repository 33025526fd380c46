#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? std::string() : std::string(separator)) + name;
  return text;
}

[[nodiscard]] inline bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[nodiscard]] inline bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return glob_matches(pattern, text); });
}

/// Fails at the first entry that matches none of the names. `known` is sorted and without repetitions.
[[nodiscard]] Result<void> check_entries(std::string_view what, std::string_view plural,
                                         const std::vector<std::string>& entries,
                                         const std::vector<std::string>& known);

[[nodiscard]] inline Result<void> check_tags(const Suite& suite, const std::vector<std::string>& entries) {
  std::set<std::string> known;
  for (const Case& entry : suite) known.insert(entry.tags.begin(), entry.tags.end());
  return check_entries("tag", "tags", entries, {known.begin(), known.end()});
}

[[nodiscard]] inline Result<void> check_ids(const Suite& suite, const std::vector<std::string>& entries) {
  if (entries.empty()) return {};
  std::set<std::string> known;
  for (const Case& entry : suite) known.insert(entry.id);
  return check_entries("case", "cases", entries, {known.begin(), known.end()});
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/vocabulary.ipp"
#endif
