#pragma once

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// What one thread has of a Rows × Columns matrix of doubles that a group of 32 threads keeps in its variables: of
/// every 8 × 8 part the two neighbors in a row that matrix units leave with that thread. See `BlockBackend`,
/// `multiply_accumulate`. Source: PTX ISA, "Matrix fragments for mma.m8n8k4 with .f64 floating point type"; larger
/// shapes are made of these.
template <int Rows, int Columns>
struct MatrixShare {
  static_assert(Rows > 0 && Rows % 16 == 0 && Columns > 0 && Columns % 8 == 0,
                "matrix units take 16 or 8 rows and 8 columns");
  static constexpr int row_parts = Rows / 8;        ///< parts of 8 rows
  static constexpr int column_parts = Columns / 8;  ///< parts of 8 columns

  double values[row_parts][column_parts][2] = {};  ///< row part, column part, left or right neighbor

  /// Where values[row_part][column_part][which] of a thread stands in the group's matrix.
  [[nodiscard]] ASSAY_FUNCTION static constexpr int row(int thread, int row_part) {
    return 8 * row_part + thread % 32 / 4;
  }
  /// The column of a value of that thread, 0 to Columns − 1.
  [[nodiscard]] ASSAY_FUNCTION static constexpr int column(int thread, int column_part, int which) {
    return 8 * column_part + 2 * (thread % 4) + which;
  }
};

}  // namespace assay::inline v0
