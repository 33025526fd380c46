#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0 {

/// Levenshtein's distance: the least number of insertions, deletions and substitutions. O(|a|·|b|) time, O(|b|) memory.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The names nearest to what was typed, best first, equals in their given order: those within a third of its length (at
/// least two edits), and those that contain it, which count as more than one edit and less than two. At most `count`.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string>& names,
                                                     std::size_t count = 3);

/// "unknown backend 'opnblas'; nearest: openblas; known: eigen, host, openblas" – the whole sentence for a message.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view typed,
                                       const std::vector<std::string>& names);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/core/nearest_name.ipp"
#endif
