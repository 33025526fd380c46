#pragma once

#include <concepts>

#include "assay/compare/block_expectation.hpp"

namespace assay::inline v0 {

/// How far references in single precision are from what they stand for: |v − r| ≤ absolute + relative·|v| where |v| is
/// not below 2⁻⁵⁷. Where both are 0, references are singles, zeros among them.
struct ApproximationError {
  double absolute = -1;  ///< negative: there are none
  double relative = 0;
};

/// A block expectation that also tells its references nearly, in single precision, at which outputs of 16 bits are
/// looked at first: where an element is certainly the reference, rounded, r itself is not computed.
/// `approximate_block(row, first, count, value, error)` puts v ≈ r, or NaN, and e ≈ E (to 10⁻⁵ of itself, or 2⁻¹²⁶),
/// below 2^100, or tells that it cannot.
template <class Expected>
concept ApproximateExpectation = BlockExpectation<Expected> &&
    requires(const Expected& expected, Index index, float* array) {
  { expected.approximate_block(index, index, index, array, array) } -> std::same_as<ApproximationError>;
};

}  // namespace assay::inline v0
