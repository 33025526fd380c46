#pragma once

#include <concepts>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// What is expected of one row of an output, as contiguous arrays: element c is `value[c]` with the error `error[c]`,
/// or with `uniform_error` where `error` is null.
template <Format V>
struct ExpectedRow {
  using Value = V;  ///< of the stored values

  const V* value = nullptr;
  const double* error = nullptr;
  double uniform_error = 0;

  /// The expectation of the element in that column.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator[](Index column) const {
    return {decode(value[column]), error != nullptr ? error[column] : uniform_error};
  }
};

/// An expectation that can hand out whole rows: comparison on the host then runs on vectors. `expected_row(row)` gives
/// an `ExpectedRow` that says, element by element, what `expected(row, column)` says.
template <class Expected>
concept RowExpectation = requires(const Expected& expected, Index row) {
  typename std::remove_cvref_t<decltype(expected.expected_row(row))>::Value;
  requires std::is_same_v<decltype(expected.expected_row(row)),
                          ExpectedRow<typename decltype(expected.expected_row(row))::Value>>;
};

}  // namespace assay::inline v0
