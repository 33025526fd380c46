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
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return glob_matches(pattern, text); });
}

/// The sentence for a name that is not among `known`. Long lists are cut to what fits a terminal.
[[nodiscard]] inline std::string unknown_entry(std::string_view what, std::string_view typed, const std::vector<std::string>& known,
                                               std::string_view plural) {
  if (is_glob(typed)) {
    std::string message = "no " + std::string(what) + " matches '" + std::string(typed) + "'";
    if (known.size() <= 16) return message + "; known: " + joined(known, ", ");
    return message + "; the suite has " + std::to_string(known.size()) + " " + std::string(plural) + ", such as " + known.front();
  }
  if (known.size() <= 16) return unknown_name(what, typed, known);
  const std::vector<std::string> nearest = nearest_names(typed, known);
  std::string message = "unknown " + std::string(what) + " '" + std::string(typed) + "'";
  if (!nearest.empty()) return message + "; nearest: " + joined(nearest, ", ");
  return message + "; the suite has " + std::to_string(known.size()) + " " + std::string(plural) + ", such as " + known.front();
}

/// Fails at the first entry that matches none of the names. `known` is sorted and without repetitions.
[[nodiscard]] inline Result<void> check_entries(std::string_view what, std::string_view plural, const std::vector<std::string>& entries,
                                                const std::vector<std::string>& known) {
  for (const std::string& entry : entries) {
    const bool matched = is_glob(entry)
                             ? std::any_of(known.begin(), known.end(), [&](const auto& name) { return glob_matches(entry, name); })
                             : std::binary_search(known.begin(), known.end(), entry);
    if (!matched) return failure(ErrorKind::not_found, unknown_entry(what, entry, known, plural));
  }
  return {};
}

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
