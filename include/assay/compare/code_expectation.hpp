#pragma once

#include <concepts>

#include "assay/compare/block_expectation.hpp"

namespace assay::inline v0 {

/// An expectation of which each element may depend on the code of one stored number alone, as with a function of one
/// operand of 8 or 16 bits: there are as many different elements as codes, however large the output is.
///
/// `code_bytes()` is 1 or 2, or 0 where it is not so; the others are called in the first two cases only. `codes(row,
/// column)` points to the code on which that element depends, and those of the elements behind it in the row follow it.
/// `expected_of_codes(first, count, value, error)` puts r and E of the codes [first, first + count) into two arrays, as
/// `expected(row, column)` tells them.
template <class Expected>
concept CodeExpectation = BlockExpectation<Expected> && requires(const Expected& expected, Index index, double* array) {
  { expected.code_bytes() } -> std::same_as<int>;
  { expected.codes(index, index) } -> std::same_as<const void*>;
  { expected.expected_of_codes(index, index, array, array) } -> std::same_as<void>;
};

}  // namespace assay::inline v0
