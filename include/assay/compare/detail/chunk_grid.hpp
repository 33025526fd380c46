#pragma once

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::detail {

/// How a matrix is cut into chunks: bands of whole rows, each cut into segments of columns. A function of the extents
/// only, never of the machine. Tiles for the heat map: at most 64 × 64.
struct ChunkGrid {
  static constexpr Index most_chunks = 1024;
  static constexpr Index most_tiles = 64;  ///< along either side
  static constexpr Index least_columns = 4096;

  Index rows = 0;
  Index columns = 0;
  Index band_rows = 1;
  Index bands = 0;
  Index segment_columns = 1;
  Index segments = 0;
  Index tile_rows = 1;
  Index tile_columns = 1;

  [[nodiscard]] static constexpr Index ceil_divide(Index a, Index b) { return (a + b - 1) / b; }

  [[nodiscard]] static constexpr ChunkGrid over(Index rows, Index columns) {
    ChunkGrid grid;
    grid.rows = rows;
    grid.columns = columns;
    grid.band_rows = ceil_divide(rows, most_chunks);
    grid.bands = ceil_divide(rows, grid.band_rows);
    const Index allowed = most_chunks / grid.bands;
    const Index wished = ceil_divide(columns, least_columns);
    grid.segment_columns = ceil_divide(columns, wished < allowed ? wished : allowed);
    grid.segments = ceil_divide(columns, grid.segment_columns);
    grid.tile_rows = grid.band_rows * ceil_divide(grid.bands, most_tiles);
    grid.tile_columns = ceil_divide(columns, most_tiles);
    return grid;
  }

  [[nodiscard]] constexpr Index chunks() const { return bands * segments; }
};

}  // namespace assay::detail
