#pragma once

#include <concepts>

#include "assay/compare/approximate_expectation.hpp"

namespace assay::inline v0 {

/// A block expectation that also tells its references as pairs of singles, v + w ≈ r, of which v is nearest to both:
/// outputs in single precision are looked at beside those first, twice as many at a time as beside doubles.
/// `paired_block(row, first, count, value, rest, error)` puts v and w, or NaN, and e ≈ E (to 10⁻⁵ of itself, or 2⁻¹³⁴),
/// below 2^100, and tells how far off v + w is at most where |v| is 0 or not below 2⁻⁹⁰, or that it cannot. Elements
/// nearer than that to the middle between two singles are judged by r itself: unless it is below 2⁻³² of |v|, they are
/// too many.
template <class Expected>
concept PairedExpectation = BlockExpectation<Expected> &&
    requires(const Expected& expected, Index index, float* array) {
  { expected.paired_block(index, index, index, array, array, array) } -> std::same_as<ApproximationError>;
};

}  // namespace assay::inline v0
