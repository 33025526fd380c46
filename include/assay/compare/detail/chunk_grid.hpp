#pragma once

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// How a matrix is cut into chunks, a function of the extents only, never of the machine. A band is one row of tiles of
/// the heat map (at most 64 × 32) and holds up to 4 groups of rows; segments cut it into whole tiles, or tiles into
/// segments where rows are few. Large tiles make new maxima within one rare.
struct ChunkGrid {
  static constexpr Index most_chunks =
      384;  ///< their partial results, on the backend and on the host, take less than 1 MiB
  static constexpr Index most_tile_rows = 64;
  static constexpr Index most_tile_columns = 32;
  static constexpr Index most_groups = 256;
  static constexpr Index groups_per_band = 4;
  static constexpr Index small_tile = 16384;  ///< elements
  static constexpr Index least_columns =
      8192;  ///< of a segment: where rows are cut, processors foresee less of what is read next
  static constexpr Index column_unit = 16;  ///< tiles that are wider are whole units, so that vectors fill them

  Index rows = 0;
  Index columns = 0;
  Index group_rows = 1;
  Index band_rows = 1;  ///< rows of a tile
  Index bands = 0;
  Index segment_columns = 1;
  Index segments = 0;
  Index tile_columns = 1;

  [[nodiscard]] static constexpr Index ceil_divide(Index a, Index b) { return (a + b - 1) / b; }
  [[nodiscard]] static constexpr Index round_up(Index a, Index unit) { return ceil_divide(a, unit) * unit; }

  [[nodiscard]] static constexpr ChunkGrid over(Index rows, Index columns) {
    ChunkGrid grid;
    grid.rows = rows;
    grid.columns = columns;
    grid.group_rows = ceil_divide(rows, most_groups);
    grid.band_rows = grid.group_rows * ceil_divide(ceil_divide(rows, grid.group_rows), most_tile_rows);
    grid.bands = ceil_divide(rows, grid.band_rows);
    grid.tile_columns = ceil_divide(columns, most_tile_columns);
    if (grid.tile_columns > column_unit) grid.tile_columns = round_up(grid.tile_columns, column_unit);
    const Index allowed = most_chunks / grid.bands;
    const Index wished = ceil_divide(columns, least_columns);
    const Index even = ceil_divide(columns, wished < allowed ? wished : allowed);
    grid.segment_columns = round_up(even, even < grid.tile_columns ? column_unit : grid.tile_columns);
    grid.segments = ceil_divide(columns, grid.segment_columns);
    return grid;
  }

  /// The same chunks with one tile and one group of rows for each that holds several.
  [[nodiscard]] constexpr ChunkGrid of_few_tiles() const {
    ChunkGrid grid = *this;
    grid.group_rows = band_rows;
    if (segment_columns > tile_columns) grid.tile_columns = segment_columns;
    return grid;
  }
  /// Whether a chunk holds several, and so small ones that finding the records of each takes as long as all else.
  [[nodiscard]] constexpr bool has_small_tiles() const {
    return (segment_columns > tile_columns || band_rows > group_rows) && band_rows * tile_columns < small_tile;
  }

  [[nodiscard]] constexpr Index chunks() const { return bands * segments; }
};

}  // namespace assay::inline v0::detail
