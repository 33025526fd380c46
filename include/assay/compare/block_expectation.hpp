#pragma once

#include <concepts>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// An expectation that computes references while it is compared with, so that none is stored: `expected_block(row,
/// first, count, value, error)` puts r and E of the elements [first, first + count) of a row into two arrays, as
/// `expected(row, column)` tells them one by one. Called from the threads that compare, on the host. Optional: `bool
/// error_free()` says that E = 0 everywhere, which is faster to compare with; `static constexpr bool runs_on = true`,
/// that a block may run on beyond the end of its row, into the rows that follow; `ExpectedRow<double> placed_block(row,
/// first, count, value, error)`, the same block where it is stored already, and in the arrays what is not: stored
/// references are then read once and not copied (as of an `ExpectedRow`, a null `error` is uniform); and what
/// `ApproximateExpectation` asks for.
template <class Expected>
concept BlockExpectation = requires(const Expected& expected, Index index, double* array) {
  { expected.expected_block(index, index, index, array, array) } -> std::same_as<void>;
  requires std::is_same_v<decltype(expected(index, index)), ExpectedElement>;
};

/// At most so many elements are asked for at once.
inline constexpr Index expected_block_columns = 1024;

}  // namespace assay::inline v0
