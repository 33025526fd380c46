#pragma once

#include "assay/validators/magnitude_distribution.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void MagnitudeDistribution::add(double value) {
  if (!is_finite(value)) {
    ++not_finite;
    return;
  }
  ++count;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) {
    ++zeros;
    return;
  }
  square_sum += magnitude * magnitude;
  if (magnitude > largest) largest = magnitude;
  if (magnitude < smallest) smallest = magnitude;
  const int exponent = exponent_of(magnitude);
  const int binade = exponent < least_exponent     ? least_exponent
                     : exponent > largest_exponent ? largest_exponent
                                                   : exponent;
  ++binades[static_cast<std::size_t>(binade - least_exponent)];
}

}  // namespace assay::inline v0
