#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay::inline v0::detail {

/// Between which samples the median of their distribution lies: distribution-free, from the sign test. Each bound is wrong with a
/// probability of at most `error`, for independent samples of any distribution; ±∞ where so few samples say nothing.
/// Source: Conover, "Practical Nonparametric Statistics", 3rd edition, 1999, section 3.2.
struct MedianBounds {
  double median = std::numeric_limits<double>::quiet_NaN();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// The greatest r with P(Binomial(n, 1/2) < r) ≤ error: the median is less than the r-th smallest of n samples that seldom. 0: there is none.
[[nodiscard]] inline std::size_t median_bound_rank(std::size_t n, double error) {
  double term = std::exp2(-static_cast<double>(n)), sum = 0;
  if (term == 0)
    return n / 2 - static_cast<std::size_t>(std::sqrt(-2 * std::log(error)) * std::sqrt(static_cast<double>(n)) / 2 +
                                            1);  // Hoeffding, for n > 1074
  for (std::size_t r = 0; r < n; ++r) {
    sum += term;
    if (sum > error) return r;
    term *= static_cast<double>(n - r) / static_cast<double>(r + 1);
  }
  return n;
}

/// O(n log n).
[[nodiscard]] inline MedianBounds median_bounds(std::vector<double> samples, double error) {
  MedianBounds bounds;
  if (samples.empty()) return bounds;
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size(), r = median_bound_rank(n, error);
  bounds.median = n % 2 != 0 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  if (r > 0) {
    bounds.lower = samples[r - 1];
    bounds.upper = samples[n - r];
  }
  return bounds;
}

/// The fewest samples from which there are bounds at all: 2⁻ⁿ ≤ error.
[[nodiscard]] inline std::size_t samples_for_bounds(double error) {
  return static_cast<std::size_t>(std::ceil(-std::log2(error)));
}

}  // namespace assay::inline v0::detail
