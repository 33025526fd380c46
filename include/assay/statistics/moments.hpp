#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "assay/statistics/detail/samples.hpp"

namespace assay::inline v0 {

/// Mean and standard deviation of samples, in their unit. The deviation divides by n − 1.
struct Moments {
  std::size_t count = 0;  ///< of the samples
  double mean = 0;        ///< 0 where there is no sample
  double deviation = 0;
};

/// O(n), in two passes, so that a large mean costs no digits of the deviation.
/// Misuse: fewer than two samples, a sample that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] inline Moments moments_of(std::span<const double> samples) {
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
