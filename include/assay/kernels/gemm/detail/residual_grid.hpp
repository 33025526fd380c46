#pragma once

#include <cstddef>

#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0::detail {

/// How a batch of matrices is cut into tiles. Depends on extents and strides alone, so that sums do not on the threads.
struct ResidualGrid {
  Index rows, columns, tile_rows, tile_columns, row_tiles, column_tiles;

  template <class T>
  [[nodiscard]] static ResidualGrid over(const StridedView<T, 3>& matrix) {
    const bool contiguous_columns = matrix.strides[2] != 1 && matrix.strides[1] == 1;
    return of(matrix, contiguous_columns ? 512 : 32, contiguous_columns ? 256 : 2048);
  }
  /// For a device, whose blocks take 256 rows: narrower tiles where there would be too few of them.
  template <class T>
  [[nodiscard]] static ResidualGrid for_blocks(const StridedView<T, 3>& matrix) {
    constexpr Index enough = 1024;
    ResidualGrid grid = of(matrix, 256, 512);
    while (matrix.extents[0] * grid.tiles() < enough && grid.tile_columns > 64)
      grid = of(matrix, 256, grid.tile_columns / 2);
    return grid;
  }
  [[nodiscard]] Index tiles() const { return row_tiles * column_tiles; }

 private:
  template <class T>
  [[nodiscard]] static ResidualGrid of(const StridedView<T, 3>& matrix, Index tile_rows, Index tile_columns) {
    const Index rows = matrix.extents[1], columns = matrix.extents[2];
    return {rows,
            columns,
            tile_rows,
            tile_columns,
            (rows + tile_rows - 1) / tile_rows,
            (columns + tile_columns - 1) / tile_columns};
  }
};

/// Rows whose sums lie side by side, with room for pairs of vectors.
[[nodiscard]] ASSAY_FUNCTION constexpr Index residual_stride(Index rows) {
  return (rows + 15) / 16 * 16;
}

}  // namespace assay::inline v0::detail
