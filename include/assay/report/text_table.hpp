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
[[nodiscard]] std::vector<std::string> text_lines(const Table& table);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/text_table.ipp"
#endif
