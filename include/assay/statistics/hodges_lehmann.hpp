#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
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
  /// By how much dependence of the values multiplies the variance of the estimate: 1 for independent ones, `variance_inflation` of autocorrelated runs. Both limits move away from the
  /// estimate by its root.
  double variance_inflation = 1;
};

namespace detail {

/// A bijection of doubles to integers that keeps their order.
[[nodiscard]] inline std::uint64_t ordered_bits(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
[[nodiscard]] inline double from_ordered_bits(std::uint64_t bits) noexcept {
  return std::bit_cast<double>(bits >> 63 != 0 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}

/// The differences x − y of two ascending samples, in ascending order, none of them stored.
class OrderedDifferences {
 public:
  OrderedDifferences(std::span<const double> sorted_x, std::span<const double> sorted_y) : x_(sorted_x), y_(sorted_y) {}

  [[nodiscard]] std::size_t count() const noexcept { return x_.size() * y_.size(); }

  /// The difference at `rank`, from 0. Bisects on the bits of a double. O(64·(m + n)).
  [[nodiscard]] double operator[](std::size_t rank) const {
    std::uint64_t low = ordered_bits(x_.front() - y_.back()), high = ordered_bits(x_.back() - y_.front());
    if (low > high) return 0;  // −0 and 0
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (at_most(from_ordered_bits(middle)) > rank)
        high = middle;
      else
        low = middle + 1;
    }
    return from_ordered_bits(low) + 0.0;
  }

 private:
  /// How many differences are at most `limit`. O(m + n).
  [[nodiscard]] std::size_t at_most(double limit) const noexcept {
    std::size_t found = 0, too_small = 0;  // the larger x, the larger must y be
    for (const double value : x_) {
      while (too_small < y_.size() && value - y_[too_small] > limit) ++too_small;
      found += y_.size() - too_small;
    }
    return found;
  }

  std::span<const double> x_;
  std::span<const double> y_;
};

/// The largest k with P(U ≤ k − 1) ≤ tail: the k-th smallest and the k-th largest difference are the interval's limits. 0 if there is none.
[[nodiscard]] inline std::size_t differences_cut_off(std::size_t m, std::size_t n, double tail, bool exact) {
  if (exact) {
    const std::vector<double> distribution = exact_u_distribution(m, n);
    std::size_t k = 0;
    for (double below = distribution[0]; below <= tail && k < distribution.size(); ++k) below += distribution[k + 1];
    return k;
  }
  const double deviation = u_deviation(m, n);
  std::size_t low = 0, high = m * n / 2;
  while (low < high) {
    const std::size_t middle = high - (high - low) / 2;
    if (normal_u_at_most(static_cast<double>(middle) - 1, m, n, deviation) <= tail)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace detail

/// Hodges and Lehmann's estimate of the shift from y to x, the median of all differences xᵢ − yⱼ, and its distribution-free interval: the k-th
/// smallest and the k-th largest difference, k the largest with P(U ≤ k − 1) ≤ (1 − confidence)/2, about mn/2 − z√(mn(m+n+1)/12).
/// Source: Hodges, Lehmann, Annals of Mathematical Statistics 34 (1963); interval: Moses, 1953; Lehmann, "Nonparametrics", 1975, §2.6.
///
/// Exact for mn ≤ 3000 and independent values: whatever the distribution, it holds the shift with at least the confidence asked for, with ties all the more. Else k is from the
/// normal approximation with continuity correction, and what dependence adds is an approximation as well.
/// O((m + n)·(log(m + n) + 64)) beside the exact distribution's O(mn·min(m, n)); no memory for the differences.
/// Misuse: no samples on a side, a sample that is NaN, infinite or beyond `largest_sample`, a confidence outside (0, 1), an inflation below 1.
[[nodiscard]] inline ShiftInterval hodges_lehmann(std::span<const double> x, std::span<const double> y, const ShiftOptions& options = {}) {
  detail::expect_samples(x, 1, "hodges_lehmann()");
  detail::expect_samples(y, 1, "hodges_lehmann()");
  detail::expect_share(options.confidence, "ShiftOptions::confidence");
  expect(options.variance_inflation >= 1 && options.variance_inflation <= largest_sample,
         [] { return "ShiftOptions::variance_inflation is less than 1 or no number; 1 stands for independent values"; });
  const std::vector<double> sorted_x = detail::sorted_copy(x), sorted_y = detail::sorted_copy(y);
  const detail::OrderedDifferences differences(sorted_x, sorted_y);
  const std::size_t count = differences.count();
  ShiftInterval shift;
  shift.estimate = count % 2 != 0 ? differences[count / 2] : std::midpoint(differences[count / 2 - 1], differences[count / 2]);
  const bool exact = detail::exact_u_is_cheap(x.size(), y.size());
  shift.exact = exact && options.variance_inflation == 1;
  const std::size_t k = detail::differences_cut_off(x.size(), y.size(), (1 - options.confidence) / 2, exact);
  if (k == 0) return shift;
  const double wider = std::sqrt(options.variance_inflation);
  const auto moved = [&](double limit) { return wider == 1 ? limit : shift.estimate + wider * (limit - shift.estimate); };
  shift.lower = moved(differences[k - 1]);
  shift.upper = moved(differences[count - k]);
  return shift;
}

}  // namespace assay::inline v0
