#pragma once

#include "assay/suite/detail/vocabulary.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// The sentence for a name that is not among `known`. Long lists are cut to what fits a terminal.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string unknown_entry(std::string_view what, std::string_view typed,
                                                                   const std::vector<std::string>& known,
                                                                   std::string_view plural) {
  if (is_glob(typed)) {
    std::string message = "no " + std::string(what) + " matches '" + std::string(typed) + "'";
    if (known.size() <= 16) return message + "; known: " + joined(known, ", ");
    return message + "; the suite has " + std::to_string(known.size()) + " " + std::string(plural) + ", such as " +
           known.front();
  }
  if (known.size() <= 16) return unknown_name(what, typed, known);
  const std::vector<std::string> nearest = nearest_names(typed, known);
  std::string message = "unknown " + std::string(what) + " '" + std::string(typed) + "'";
  if (!nearest.empty()) return message + "; nearest: " + joined(nearest, ", ");
  return message + "; the suite has " + std::to_string(known.size()) + " " + std::string(plural) + ", such as " +
         known.front();
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_entries(std::string_view what, std::string_view plural,
                                                      const std::vector<std::string>& entries,
                                                      const std::vector<std::string>& known) {
  for (const std::string& entry : entries) {
    const bool matched = is_glob(entry) ? std::any_of(known.begin(), known.end(),
                                                      [&](const auto& name) { return glob_matches(entry, name); })
                                        : std::binary_search(known.begin(), known.end(), entry);
    if (!matched) return failure(ErrorKind::not_found, unknown_entry(what, entry, known, plural));
  }
  return {};
}

}  // namespace assay::inline v0::detail
