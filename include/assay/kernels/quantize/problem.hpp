#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/formats/block_scaling.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// A matrix of `rows` × `columns`, row-major, and how it is quantized: into a row of packed codes for each of its rows,
/// a table of scales, and zero points in a table of the same layout where the scheme has them.
struct QuantizeProblem {
  Index rows = 0;
  Index columns = 0;
  BlockScaling scheme;
  Index leading_dimension = 0;    ///< elements between consecutive rows of the matrix; 0: the tightest
  Index code_row_bytes = 0;       ///< bytes between consecutive rows of codes; 0: the tightest
  Index scale_row_stride = 0;     ///< elements, of strided scales; both 0: row-major, the tightest
  Index scale_column_stride = 0;  ///< between scales of a row, in elements
};

/// Where everything of a problem is stored, after it has been checked.
struct QuantizeLayout {
  Index leading_dimension = 0;  ///< of the unquantized matrix, in elements
  Index elements = 0;           ///< of the matrix, from the first to one past the last
  Index bytes_of_row = 0;       ///< that hold codes
  Index code_row_bytes = 0;     ///< between rows
  Index code_bytes = 0;         ///< from the first to one past the last
  ScaleLayout scales;
  Index scale_bytes = 0;  ///< of the table of scales; zero points take a byte each instead
};

/// The blocks of a matrix.
struct BlockGrid {
  Index rows = 0, columns = 0;              ///< of the matrix
  Index block_rows = 1, block_columns = 1;  ///< of a full block
  Index grid_rows = 0, grid_columns = 0;    ///< blocks

  /// The blocks of a matrix of that size.
  [[nodiscard]] ASSAY_FUNCTION static constexpr BlockGrid over(const BlockScaling& scheme, Index rows, Index columns) {
    return {rows,
            columns,
            scheme.rows_of_block(rows),
            scheme.columns_of_block(columns),
            scheme.scale_rows(rows),
            scheme.scale_columns(columns)};
  }
  /// How many blocks there are.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index blocks() const { return grid_rows * grid_columns; }
  /// The elements of a block that are there: [first_row, end_row) × [first_column, end_column).
  struct Block {
    Index row, column;  ///< in the grid
    Index first_row, end_row, first_column, end_column;
  };
  /// The block of that row-major number.
  [[nodiscard]] ASSAY_FUNCTION constexpr Block block(Index number) const {
    const Index row = number / grid_columns, column = number % grid_columns;
    const Index end_row = (row + 1) * block_rows, end_column = (column + 1) * block_columns;
    return {row,
            column,
            row * block_rows,
            end_row < rows ? end_row : rows,
            column * block_columns,
            end_column < columns ? end_column : columns};
  }
};

/// Checks a problem and lays it out. `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<QuantizeLayout> lay_out(const QuantizeProblem& problem);

/// "r33-c100-ld-cr-ss-tiles": the problem's part of a case id.
[[nodiscard]] std::string name_of(const QuantizeProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/quantize/problem.ipp"
#endif
