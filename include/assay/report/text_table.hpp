#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/table.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// Whether a cell reads as a number, with or without a unit: such columns are aligned to the right.
[[nodiscard]] inline bool numeric_cell(std::string_view cell) noexcept {
  if (cell.empty() || cell == "-" || cell == "inf" || cell == "-inf" || cell == "NaN") return true;
  if (cell.front() == '-' || cell.front() == '+') cell.remove_prefix(1);
  return !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
}

/// Whether every cell of a column is numeric. O(rows).
[[nodiscard]] bool numeric_column(const Table& table, std::size_t column);

/// A table as lines of text: columns two spaces apart, a rule under the heading, numbers aligned to the right.
/// Cells are made visible (`visible`); cells that a row lacks are empty.
///
/// No line is wider than `width`, unless that is 0 (any width): columns of words are clipped first, to 8 letters at
/// least; where that is not enough, every row is told as lines of "column: cell". Precondition: `width` is 0, or 20 or
/// more.
[[nodiscard]] std::vector<std::string> text_lines(const Table& table, std::size_t width = 0);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/text_table.ipp"
#endif
