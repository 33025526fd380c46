#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/release/compatibility_report.hpp"

namespace assay::inline v0 {

/// The combinations that share a value of two axes, counted by state, in the order of `CompatibilityState`.
struct CompatibilityCell {
  std::array<std::size_t, 5> counts{};  ///< by state

  /// Combinations of this state.
  [[nodiscard]] std::size_t count(CompatibilityState state) const { return counts[static_cast<std::size_t>(state)]; }
  /// Combinations of all states.
  [[nodiscard]] std::size_t promised() const {
    std::size_t number = 0;
    for (const std::size_t entry : counts) number += entry;
    return number;
  }
};

/// A compatibility report over two of its axes, row-major.
struct CompatibilityGrid {
  /// The axes of the grid.
  MatrixAxis rows, columns;
  std::vector<CompatibilityCell> cells;

  /// The cell of a value of either axis; not checked.
  [[nodiscard]] const CompatibilityCell& at(std::size_t row, std::size_t column) const {
    return cells[row * columns.values.size() + column];
  }
};

/// Counts a report over two axes. Errors: `invalid` for an axis that is not there, with the nearest, and for one axis
/// twice. O(entries).
[[nodiscard]] Result<CompatibilityGrid> compatibility_grid(const CompatibilityReport& report, const std::string& rows,
                                                           const std::string& columns);

/// The share of what was promised that is certified, cell by cell; NaN where nothing was promised, −1 where something
/// failed or runs disagree, so that no scale of colors can hide it.
[[nodiscard]] HeatMap certified_share(const CompatibilityGrid& grid);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/compatibility_grid.ipp"
#endif
