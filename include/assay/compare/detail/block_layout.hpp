#pragma once

#include <cstddef>

#include "assay/compare/detail/chunk_grid.hpp"

namespace assay::inline v0::detail {

/// How a matrix is shared among blocks of threads, a function of the extents and the size of an element only. A unit is
/// what one block compares: rows of one group, and columns of which each thread sees those of one tile. A thread takes
/// `vector` elements of a row at once; `lanes` threads stand side by side in a row, and `rows_at_once` such rows above
/// each other.
struct BlockLayout {
  static constexpr int threads = 128;
  static constexpr Index most_steps = 32;      ///< of a thread, where there are enough units without
  static constexpr Index wished_units = 2048;  ///< a few for every multiprocessor of the largest devices
  static constexpr Index most_units = 65536;

  ChunkGrid grid;
  Index vector = 1;
  Index lanes = 1;
  Index rows_at_once = 1;
  Index passes = 1;  ///< windows of lanes · vector columns, side by side, of one unit
  Index unit_rows = 1;
  Index parts = 1;          ///< units above each other in a group
  Index groups = 1;         ///< of a band
  Index across_tile = 0;    ///< units side by side in a tile; 0: units are wider than tiles
  Index across = 1;         ///< units side by side in the matrix
  Index tiles_of_unit = 1;  ///< at most

  struct Window {
    Index first_row, last_row, first_column, last_column;
  };

  /// `widest`: elements of 16 bytes.
  [[nodiscard]] static constexpr BlockLayout over(Index rows, Index columns, Index widest) {
    BlockLayout layout;
    layout.grid = ChunkGrid::over(rows, columns);
    const Index tile = layout.grid.tile_columns, group = layout.grid.group_rows;
    layout.groups = layout.grid.band_rows / group;
    layout.vector = widest;
    while (tile % layout.vector != 0) layout.vector /= 2;
    const Index vectors = ChunkGrid::ceil_divide(columns, layout.vector);
    layout.lanes = vectors < threads ? vectors : threads;
    layout.rows_at_once = threads / layout.lanes;
    const Index window = layout.lanes * layout.vector;
    const bool wide = tile >= window && layout.lanes == threads;
    const Index steps = ChunkGrid::ceil_divide(rows * vectors, threads * wished_units);
    for (Index most = steps < 4 ? 4 : steps < most_steps ? steps : most_steps;; most *= 2) {
      const Index unit_rows = most * layout.rows_at_once;
      layout.unit_rows = unit_rows < group ? unit_rows : group;
      layout.parts = ChunkGrid::ceil_divide(group, layout.unit_rows);
      if (wide) {
        const Index wished = most / layout.unit_rows, enough = ChunkGrid::ceil_divide(tile, window);
        layout.passes = wished < 1 ? 1 : wished < enough ? wished : enough;
        layout.across_tile = ChunkGrid::ceil_divide(tile, layout.passes * window);
        layout.across = layout.across_tile * ChunkGrid::ceil_divide(columns, tile);
      } else {
        layout.across = ChunkGrid::ceil_divide(columns, window);
        layout.tiles_of_unit = ChunkGrid::ceil_divide(window, tile) + 1;
      }
      if (layout.units() <= most_units || most > (Index{1} << 40)) return layout;
    }
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr Index units_of_band() const { return groups * parts * across; }
  [[nodiscard]] ASSAY_FUNCTION constexpr Index units() const { return grid.bands * units_of_band(); }
  [[nodiscard]] ASSAY_FUNCTION constexpr Index group_of(Index unit) const { return unit / across / parts % groups; }

  /// Empty windows are those with no rows or no columns: where extents are no multiples.
  [[nodiscard]] ASSAY_FUNCTION constexpr Window window_of(Index unit) const {
    const Index band = unit / units_of_band(), part = unit / across % parts, place = unit % across;
    const Index group_end = least(band * grid.band_rows + (group_of(unit) + 1) * grid.group_rows, grid.rows);
    const Index first_row = band * grid.band_rows + group_of(unit) * grid.group_rows + part * unit_rows;
    Window window{least(first_row, group_end), least(first_row + unit_rows, group_end), 0, 0};
    if (across_tile > 0) {
      const Index tile = place / across_tile, tile_end = least((tile + 1) * grid.tile_columns, grid.columns);
      const Index first = tile * grid.tile_columns + place % across_tile * passes * lanes * vector;
      window.first_column = least(first, tile_end);
      window.last_column = least(first + passes * lanes * vector, tile_end);
    } else {
      window.first_column = place * lanes * vector;
      window.last_column = least(window.first_column + lanes * vector, grid.columns);
    }
    return window;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static constexpr Index least(Index a, Index b) { return a < b ? a : b; }
};

}  // namespace assay::inline v0::detail
