#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/statistics/detail/u_distribution.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// By how much values of x exceed values of y, in their unit.
struct ShiftInterval {
  double estimate = 0;  ///< the median of all differences
  /// Infinite where the samples are too few for the confidence asked for.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();  ///< of the interval
  bool exact = true;                                       ///< else the limits are by the normal approximation of U
};

/// How the interval is had.
struct ShiftOptions {
  double confidence = 0.95;  ///< of the two-sided interval
  /// By how much dependence of the values multiplies the variance of the estimate: 1 for independent ones,
  /// `variance_inflation` of autocorrelated runs. Both limits move away from the estimate by its root.
  double variance_inflation = 1;
};

namespace detail {

/// The differences x − y of two ascending samples, in ascending order, none of them stored.
class OrderedDifferences {
 public:
  OrderedDifferences(std::span<const double> sorted_x, std::span<const double> sorted_y) : x_(sorted_x), y_(sorted_y) {}

  [[nodiscard]] std::size_t count() const noexcept { return x_.size() * y_.size(); }

  /// The difference at `rank`, from 0. Bisects on the bits of a double. O(64·(m + n)).
  [[nodiscard]] double operator[](std::size_t rank) const;

 private:
  /// How many differences are at most `limit`. O(m + n).
  [[nodiscard]] std::size_t at_most(double limit) const noexcept;

  std::span<const double> x_;
  std::span<const double> y_;
};

/// The largest k with P(U ≤ k − 1) ≤ tail: the k-th smallest and the k-th largest difference are the interval's limits.
/// 0 if there is none.
[[nodiscard]] std::size_t differences_cut_off(std::size_t m, std::size_t n, double tail, bool exact);

}  // namespace detail

/// Hodges and Lehmann's estimate of the shift from y to x, the median of all differences xᵢ − yⱼ, and its
/// distribution-free interval: the k-th smallest and the k-th largest difference, k the largest with P(U ≤ k − 1) ≤ (1
/// − confidence)/2, about mn/2 − z√(mn(m+n+1)/12). Source: Hodges, Lehmann, Annals of Mathematical Statistics 34
/// (1963); interval: Moses, 1953; Lehmann, "Nonparametrics", 1975, §2.6.
///
/// Exact for mn ≤ 3000 and independent values: whatever the distribution, it holds the shift with at least the
/// confidence asked for, with ties all the more. Else k is from the normal approximation with continuity correction,
/// and what dependence adds is an approximation as well. O((m + n)·(log(m + n) + 64)) beside the exact distribution's
/// O(mn·min(m, n)); no memory for the differences. Misuse: no samples on a side, a sample that is NaN, infinite or
/// beyond `largest_sample`, a confidence outside (0, 1), an inflation below 1.
[[nodiscard]] ShiftInterval hodges_lehmann(std::span<const double> x, std::span<const double> y,
                                           const ShiftOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/hodges_lehmann.ipp"
#endif
