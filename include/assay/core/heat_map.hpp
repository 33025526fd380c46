#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::inline v0 {

/// A grid of values over a matrix, row-major, without a medium. A cell covers
/// `rows_per_cell` × `columns_per_cell` elements (fewer at the far edges).
struct HeatMap {
  std::string title;        ///< what the values are, with their unit
  std::size_t rows = 0;     ///< cells
  std::size_t columns = 0;  ///< cells
  std::int64_t rows_per_cell = 1;
  std::int64_t columns_per_cell = 1;
  std::vector<double> values;  ///< rows × columns

  /// The value of a cell. Precondition: `row < rows`, `column < columns`; not checked.
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

}  // namespace assay::inline v0
