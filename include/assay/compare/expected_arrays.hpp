#pragma once

#include "assay/compare/expected_row.hpp"

namespace assay::inline v0 {

/// References r and error bounds E of a matrix, row-major in float64 on the backend; `columns` is the distance of rows.
/// A null `error` means E = `uniform_error` everywhere.
struct ExpectedArrays {
  const double* value = nullptr;
  const double* error = nullptr;
  Index columns = 0;
  double uniform_error = 0;

  ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const { return expected_row(row)[column]; }
  /// The expectation of one row, for the comparison.
  [[nodiscard]] ASSAY_FUNCTION ExpectedRow<double> expected_row(Index row) const {
    return {value + row * columns, error != nullptr ? error + row * columns : nullptr, uniform_error};
  }
};

}  // namespace assay::inline v0
