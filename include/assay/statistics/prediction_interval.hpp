#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "assay/statistics/distributions.hpp"
#include "assay/statistics/moments.hpp"

namespace assay::inline v0 {

/// Where the next value lies, in the unit of the samples.
struct PredictionInterval {
  double lower = 0;  ///< of the interval
  double upper = 0;  ///< of the interval

  /// Whether the value lies in the interval, ends included.
  [[nodiscard]] constexpr bool holds(double value) const noexcept { return value >= lower && value <= upper; }
};

/// x̄ ± t·s·√(1 + 1/n), t the quantile of Student's distribution with n − 1 degrees of freedom at (1 + coverage) / 2:
/// the next sample of a normal distribution lies in it with probability `coverage`. Source: Hahn, Meeker, "Statistical
/// intervals", 1991, §4.7. Unlike x̄ ± z·s it knows that x̄ and s are estimates. Neither heavy tails nor
/// autocorrelation are allowed for. O(1). Misuse: fewer than two samples behind the moments, a coverage outside (0, 1).
[[nodiscard]] inline PredictionInterval prediction_interval(const Moments& moments, double coverage) {
  expect(moments.count >= 2, [] { return "a prediction interval needs at least two samples, to know their spread"; });
  detail::expect_share(coverage, "the coverage of a prediction interval");
  const auto n = static_cast<double>(moments.count);
  const double reach = student_t_quantile((1 + coverage) / 2, n - 1) * moments.deviation * std::sqrt(1 + 1 / n);
  return {moments.mean - reach, moments.mean + reach};
}

/// The same from samples. O(n). Misuse: as of `moments_of`.
[[nodiscard]] inline PredictionInterval prediction_interval(std::span<const double> samples, double coverage) {
  return prediction_interval(moments_of(samples), coverage);
}

}  // namespace assay::inline v0
