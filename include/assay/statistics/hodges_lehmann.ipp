#pragma once

#include "assay/statistics/hodges_lehmann.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// A bijection of doubles to integers that keeps their order.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::uint64_t ordered_bits(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double from_ordered_bits(std::uint64_t bits) noexcept {
  return std::bit_cast<double>(bits >> 63 != 0 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}

ASSAY_DETAIL_HEADER_INLINE double OrderedDifferences::operator[](std::size_t rank) const {
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

ASSAY_DETAIL_HEADER_INLINE std::size_t OrderedDifferences::at_most(double limit) const noexcept {
  std::size_t found = 0, too_small = 0;  // the larger x, the larger must y be
  for (const double value : x_) {
    while (too_small < y_.size() && value - y_[too_small] > limit) ++too_small;
    found += y_.size() - too_small;
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t differences_cut_off(std::size_t m, std::size_t n, double tail, bool exact) {
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

ASSAY_DETAIL_HEADER_INLINE ShiftInterval hodges_lehmann(std::span<const double> x, std::span<const double> y,
                                                        const ShiftOptions& options) {
  detail::expect_samples(x, 1, "hodges_lehmann()");
  detail::expect_samples(y, 1, "hodges_lehmann()");
  detail::expect_share(options.confidence, "ShiftOptions::confidence");
  expect(options.variance_inflation >= 1 && options.variance_inflation <= largest_sample, [] {
    return "ShiftOptions::variance_inflation is less than 1 or no number; 1 stands for independent values";
  });
  const std::vector<double> sorted_x = detail::sorted_copy(x), sorted_y = detail::sorted_copy(y);
  const detail::OrderedDifferences differences(sorted_x, sorted_y);
  const std::size_t count = differences.count();
  ShiftInterval shift;
  shift.estimate =
      count % 2 != 0 ? differences[count / 2] : std::midpoint(differences[count / 2 - 1], differences[count / 2]);
  const bool exact = detail::exact_u_is_cheap(x.size(), y.size());
  shift.exact = exact && options.variance_inflation == 1;
  const std::size_t k = detail::differences_cut_off(x.size(), y.size(), (1 - options.confidence) / 2, exact);
  if (k == 0) return shift;
  const double wider = std::sqrt(options.variance_inflation);
  const auto moved = [&](double limit) {
    return wider == 1 ? limit : shift.estimate + wider * (limit - shift.estimate);
  };
  shift.lower = moved(differences[k - 1]);
  shift.upper = moved(differences[count - k]);
  return shift;
}

}  // namespace assay::inline v0
