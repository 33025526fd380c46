#pragma once

#include "assay/compare/expected_row.hpp"

namespace assay::inline v0 {

/// Another output of the same kind as what is expected: a matrix of stored values, row-major on the backend, with one
/// error bound for all; `columns` is the distance of rows. Tolerances that do not read E (absolute and relative, ulps,
/// exact) leave it 0.
template <Format V>
struct ExpectedValues {
  const V* value = nullptr;
  Index columns = 0;
  double error = 0;

  ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return {decode(value[row * columns + column]), error};
  }
  /// The expectation of one row, for the comparison.
  [[nodiscard]] ASSAY_FUNCTION ExpectedRow<V> expected_row(Index row) const {
    return {value + row * columns, nullptr, error};
  }
};

}  // namespace assay::inline v0
