#pragma once

#include <cstdint>

#include "assay/compare/approximate_expectation.hpp"

namespace assay::inline v0::detail {

/// A block of a row beside approximate references. See `ApproximateExpectation`, and `PairedExpectation` where there is
/// a `rest`.
template <class T>
struct ApproximateBlock {
  static constexpr Index step = 16;
  const T* actual;
  const float *value, *rest, *error;
  ApproximationError off;
  Index elements;      ///< whole steps of 16, at most 64 of them
  double plain_ratio;  ///< error over bound that no record exceeds, of pairs
};

/// What a screen leaves of a block, a bit for each step of 16 elements.
struct ApproximateFindings {
  std::uint64_t doubtful = 0;  ///< sums are added, and no more
  std::uint64_t unsummed = 0;  ///< singles do not hold the step, or others of its 256 elements
};

}  // namespace assay::inline v0::detail
