#pragma once

#include "assay/statistics/moments.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Moments moments_of(std::span<const double> samples) {
  detail::expect_samples(samples, 2, "moments_of()");
  const auto n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double sample : samples) sum += sample;
  double mean = sum / n;
  double rest = 0;
  for (const double sample : samples) rest += sample - mean;
  mean += rest / n;
  double squares = 0, residue = 0;
  for (const double sample : samples) {
    squares += (sample - mean) * (sample - mean);
    residue += sample - mean;
  }
  return {samples.size(), mean, std::sqrt(std::fmax(squares - residue * residue / n, 0.0) / (n - 1))};
}

}  // namespace assay::inline v0
