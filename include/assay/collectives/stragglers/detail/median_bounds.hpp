#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay::inline v0::detail {

/// Between which samples the median of their distribution lies: distribution-free, from the sign test. Each bound is
/// wrong with a probability of at most `error`, for independent samples of any distribution; ±∞ where so few samples
/// say nothing. Source: Conover, "Practical Nonparametric Statistics", 3rd edition, 1999, section 3.2.
struct MedianBounds {
  double median = std::numeric_limits<double>::quiet_NaN();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// The greatest r with P(Binomial(n, 1/2) < r) ≤ error: the median is less than the r-th smallest of n samples that
/// seldom. 0: there is none.
[[nodiscard]] std::size_t median_bound_rank(std::size_t n, double error);

/// O(n log n).
[[nodiscard]] MedianBounds median_bounds(std::vector<double> samples, double error);

/// The fewest samples from which there are bounds at all: 2⁻ⁿ ≤ error.
[[nodiscard]] inline std::size_t samples_for_bounds(double error) {
  return static_cast<std::size_t>(std::ceil(-std::log2(error)));
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/detail/median_bounds.ipp"
#endif
