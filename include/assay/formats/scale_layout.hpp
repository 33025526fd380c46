#pragma once

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// The order in which a table of scales is stored.
enum class ScaleOrder {
  strided,     ///< at row·row_stride + column·column_stride
  tiles_128x4  ///< tiles of 128 rows and 4 columns, as block-scaled matrix units read them; see `ScaleLayout::offset`
};

/// Where the scale of each block stands, in elements: a table of `rows` × `columns` scales.
struct ScaleLayout {
  ScaleOrder order = ScaleOrder::strided;
  Index rows = 0;
  Index columns = 0;
  Index row_stride = 0;     ///< strided only
  Index column_stride = 0;  ///< strided only

  /// Rows with the padding that tiled orders need: a multiple of 128.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index padded_rows() const {
    return order == ScaleOrder::strided ? rows : (rows + 127) / 128 * 128;
  }
  /// Columns with the padding that tiled orders need: a multiple of 4.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index padded_columns() const {
    return order == ScaleOrder::strided ? columns : (columns + 3) / 4 * 4;
  }

  /// Where the scale at (row, column) of the padded table stands. In tiles, with r = row mod 128 and c = column mod 4:
  ///
  ///   ((row / 128)·(padded_columns / 4) + column / 4)·512 + (r mod 32)·16 + (r / 32)·4 + c
  ///
  /// so that 16 consecutive scales are those of rows r, r + 32, r + 64 and r + 96. Tiles follow each other along the
  /// columns first; what pads the table to whole tiles is zero. Source: NVIDIA cuBLAS documentation, "1D Block Scaling
  /// Factors Layout".
  [[nodiscard]] ASSAY_FUNCTION constexpr Index offset(Index row, Index column) const {
    if (order == ScaleOrder::strided) return row * row_stride + column * column_stride;
    const Index tile = row / 128 * (padded_columns() / 4) + column / 4;
    const Index within = row % 128;
    return tile * 512 + within % 32 * 16 + within / 32 * 4 + column % 4;
  }

  /// Elements from the first to one past the last.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index elements() const {
    if (rows == 0 || columns == 0) return 0;
    if (order == ScaleOrder::tiles_128x4) return padded_rows() * padded_columns();
    return (rows - 1) * row_stride + (columns - 1) * column_stride + 1;
  }
};

/// Row after row, without gaps.
[[nodiscard]] ASSAY_FUNCTION constexpr ScaleLayout row_major_scales(Index rows, Index columns) {
  return {ScaleOrder::strided, rows, columns, columns, 1};
}
/// Column after column; a `column_stride` above the number of rows aligns the columns.
[[nodiscard]] ASSAY_FUNCTION constexpr ScaleLayout column_major_scales(Index rows, Index columns, Index column_stride) {
  return {ScaleOrder::strided, rows, columns, 1, column_stride};
}
/// Tiles of 128 rows and 4 columns.
[[nodiscard]] ASSAY_FUNCTION constexpr ScaleLayout tiled_scales(Index rows, Index columns) {
  return {ScaleOrder::tiles_128x4, rows, columns, 0, 0};
}

}  // namespace assay::inline v0
