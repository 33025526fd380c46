#pragma once

#include "assay/compare/detail/partial_comparison.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void fold(const std::vector<PartialComparison>& partials, const ChunkGrid& grid,
                                     Comparison& comparison) {
  HeatMap& tiles = comparison.tiles;
  tiles.rows = static_cast<std::size_t>(grid.bands);
  tiles.columns = static_cast<std::size_t>(ChunkGrid::ceil_divide(grid.columns, grid.tile_columns));
  tiles.rows_per_cell = grid.band_rows;
  tiles.columns_per_cell = grid.tile_columns;
  tiles.values.assign(tiles.rows * tiles.columns, 0);
  comparison.rows_per_group = grid.group_rows;
  comparison.row_ratio.assign(static_cast<std::size_t>(ChunkGrid::ceil_divide(grid.rows, grid.group_rows)), 0);
  const std::size_t groups_per_band = static_cast<std::size_t>(grid.band_rows / grid.group_rows);
  const auto raise = [](double& value, double candidate) {
    if (candidate > value) value = candidate;
  };
  PartialComparison joined;  // of the worst only
  for (std::size_t chunk = 0; chunk < partials.size(); ++chunk) {
    const PartialComparison& partial = partials[chunk];
    comparison.elements += partial.elements;
    comparison.violations += partial.violations;
    comparison.undetermined += partial.undetermined;
    comparison.refined += partial.refined;
    comparison.in_doubt += partial.in_doubt;
    comparison.nan_unexpected += partial.nan_unexpected;
    comparison.nan_missing += partial.nan_missing;
    comparison.infinity_unexpected += partial.infinity_unexpected;
    comparison.infinity_missing += partial.infinity_missing;
    comparison.max_absolute_error.join(partial.max_absolute_error);
    comparison.max_relative_error.join(partial.max_relative_error);
    comparison.max_ulp_error.join(partial.max_ulp_error);
    comparison.max_ratio.join(partial.max_ratio);
    comparison.statistics.join(partial.statistics);
    for (std::size_t i = 0; i < partial.worst_used; ++i) joined.remember(partial.worst[i]);
    const std::size_t band = chunk / static_cast<std::size_t>(grid.segments);
    for (std::size_t group = 0; group < groups_per_band && band * groups_per_band + group < comparison.row_ratio.size();
         ++group)
      raise(comparison.row_ratio[band * groups_per_band + group], partial.group_ratio[group]);
    for (std::size_t column = 0; column < tiles.columns; ++column)
      raise(tiles.values[band * tiles.columns + column], partial.tile_ratio[column]);
  }
  comparison.worst.assign(joined.worst, joined.worst + joined.worst_used);
}

}  // namespace assay::inline v0::detail
