#pragma once

#include "assay/release/compatibility_grid.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<CompatibilityGrid> compatibility_grid(const CompatibilityReport& report,
                                                                        const std::string& rows,
                                                                        const std::string& columns) {
  std::vector<std::string> names;
  for (const MatrixAxis& axis : report.axes) names.push_back(axis.name);
  const auto row_axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), rows) - names.begin());
  const auto column_axis = static_cast<std::size_t>(std::find(names.begin(), names.end(), columns) - names.begin());
  if (row_axis == names.size()) return failure(ErrorKind::invalid, unknown_name("axis", rows, names));
  if (column_axis == names.size()) return failure(ErrorKind::invalid, unknown_name("axis", columns, names));
  if (row_axis == column_axis)
    return failure(ErrorKind::invalid, "rows and columns are both '" + rows + "'; name two axes");
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

ASSAY_DETAIL_HEADER_INLINE HeatMap certified_share(const CompatibilityGrid& grid) {
  HeatMap map{"certified share of " + grid.rows.name + " × " + grid.columns.name,
              grid.rows.values.size(),
              grid.columns.values.size(),
              1,
              1,
              {}};
  for (const CompatibilityCell& cell : grid.cells) {
    const std::size_t promised = cell.promised();
    const bool wrong = cell.count(CompatibilityState::failed) + cell.count(CompatibilityState::conflict) > 0;
    map.values.push_back(promised == 0 ? std::numeric_limits<double>::quiet_NaN()
                         : wrong       ? -1.0
                                       : static_cast<double>(cell.count(CompatibilityState::certified)) /
                                       static_cast<double>(promised));
  }
  return map;
}

}  // namespace assay::inline v0
