#pragma once

#include <cstddef>
#include <span>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// Mean and standard deviation of samples, in their unit. The deviation divides by n − 1.
struct Moments {
  std::size_t count = 0;  ///< of the samples
  double mean = 0;        ///< 0 where there is no sample
  double deviation = 0;
};

/// O(n), in two passes, so that a large mean costs no digits of the deviation.
/// Misuse: fewer than two samples, a sample that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] Moments moments_of(std::span<const double> samples);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/moments.ipp"
#endif
