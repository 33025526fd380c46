#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// Counts a report over two axes. Errors: `invalid` for an axis that is not there, with the nearest, and for one axis twice. O(entries).
[[nodiscard]] inline Result<CompatibilityGrid> compatibility_grid(const CompatibilityReport& report, const std::string& rows,
                                                                  const std::string& columns) {
  std::vector<std::string> names;
  for (const MatrixAxis& axis : report.axes) names.push_back(axis.name);
  const auto row_axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), rows) - names.begin());
  const auto column_axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), columns) - names.begin());
  if (row_axis == names.size()) return failure(ErrorKind::invalid, unknown_name("axis", rows, names));
  if (column_axis == names.size()) return failure(ErrorKind::invalid, unknown_name("axis", columns, names));
  if (row_axis == column_axis) return failure(ErrorKind::invalid, "rows and columns are both '" + rows + "'; name two axes");
  CompatibilityGrid grid{report.axes[row_axis], report.axes[column_axis], {}};
  grid.cells.resize(grid.rows.values.size() * grid.columns.values.size());
  const auto position = [](const std::vector<std::string>& values, const std::string& value) {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
  };
  for (const CompatibilityEntry& entry : report.entries) {
    const std::size_t row = position(grid.rows.values, entry.values[row_axis]),
                      column = position(grid.columns.values, entry.values[column_axis]);
    ++grid.cells[row * grid.columns.values.size() + column].counts[static_cast<std::size_t>(entry.state)];
  }
  return grid;
}

/// The share of what was promised that is certified, cell by cell; NaN where nothing was promised, −1 where something failed or runs
/// disagree, so that no scale of colours can hide it.
[[nodiscard]] inline HeatMap certified_share(const CompatibilityGrid& grid) {
  HeatMap map{
      "certified share of " + grid.rows.name + " × " + grid.columns.name, grid.rows.values.size(), grid.columns.values.size(), 1, 1, {}};
  for (const CompatibilityCell& cell : grid.cells) {
    const std::size_t promised = cell.promised();
    const bool wrong = cell.count(CompatibilityState::failed) + cell.count(CompatibilityState::conflict) > 0;
    map.values.push_back(promised == 0 ? std::numeric_limits<double>::quiet_NaN()
                         : wrong       ? -1.0
                                       : static_cast<double>(cell.count(CompatibilityState::certified)) / static_cast<double>(promised));
  }
  return map;
}

}  // namespace assay::inline v0
