#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "assay/performance/direction.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0::detail {

/// Samples turned so that worse is more and a shift is a relative change.
struct OrientedSamples {
  std::vector<double> baseline;
  std::vector<double> candidate;
  bool logarithmic = true;
  Direction direction = Direction::lower_is_better;

  [[nodiscard]] double worsening_of(double shift) const {
    if (!logarithmic) return shift;
    return direction == Direction::lower_is_better ? std::expm1(shift) : -std::expm1(-shift);
  }
  [[nodiscard]] double shift_of(double worsening) const {
    if (!logarithmic) return worsening;
    return direction == Direction::lower_is_better ? std::log1p(worsening) : -std::log1p(-worsening);
  }
};

/// Why nothing can be said of these samples; empty if something can.
[[nodiscard]] std::string why_unfit(std::span<const double> baseline, std::span<const double> candidate);

/// Precondition: `why_unfit` had nothing to say. O(n).
[[nodiscard]] OrientedSamples orient(std::span<const double> baseline, std::span<const double> candidate,
                                     Direction direction);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/oriented_samples.ipp"
#endif
