#pragma once

#include "assay/statistics/pelt.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE StretchCost::StretchCost(std::span<const double> series, NormalCost kind, double deviation)
    : kind_(kind), sums_(series.size() + 1), squares_(series.size() + 1) {
  const double center = median(series);
  double largest = 0;
  for (const double value : series) largest = std::max(largest, std::abs(value - center));
  const double unit = largest > 0 ? largest : 1;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double value = (series[i] - center) / unit;
    sums_[i + 1] = sums_[i] + value;
    squares_[i + 1] = squares_[i] + value * value;
  }
  variance_ = deviation / unit * (deviation / unit);
  const auto n = static_cast<double>(series.size());
  // Equal runs would have likelihood without bound: a spread below a hundredth of the whole series' counts as that.
  least_variance_ = 1e-4 * std::max(squares_.back() / n - sums_.back() / n * (sums_.back() / n), 1e-30);
}

/// σ of normal noise from the median of |xₜ₊₁ − xₜ|; where most neighbors are equal, from the mean of their squares. 0
/// for a constant series.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double deviation_of_neighbors(std::span<const double> series) {
  std::vector<double> differences;
  double largest = 0;
  for (std::size_t i = 1; i < series.size(); ++i) {
    differences.push_back(std::abs(series[i] - series[i - 1]));
    largest = std::max(largest, differences.back());
  }
  if (differences.empty() || largest == 0) return 0;
  constexpr double root_of_two = 1.4142135623730951;
  for (double& difference : differences) difference /= largest;
  if (const double typical = median(differences); typical > 0)
    return largest * deviations_per_median_absolute_deviation * typical / root_of_two;
  double squares = 0;
  for (const double difference : differences) squares += difference * difference;
  return largest * std::sqrt(squares / static_cast<double>(differences.size())) / root_of_two;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> pelt(std::span<const double> series, const PeltOptions& options) {
  detail::expect_samples(series, 0, "pelt()");
  expect(options.shortest >= 1, [] { return "PeltOptions::shortest is 0; a segment has a run at least"; });
  expect(!options.penalty || (*options.penalty >= 0 && are_samples({&*options.penalty, 1})),
         [] { return "PeltOptions::penalty is negative or no number"; });
  if (options.deviation) detail::expect_positive(*options.deviation, "PeltOptions::deviation");
  const std::size_t n = series.size();
  if (n < 2 * options.shortest) return {};
  const double deviation = options.deviation ? *options.deviation : detail::deviation_of_neighbors(series);
  if (deviation == 0) return {};
  const double penalty = options.penalty
                             ? *options.penalty
                             : (options.cost == NormalCost::mean ? 2 : 3) * std::log(static_cast<double>(n));
  const detail::StretchCost cost(series, options.cost, deviation);

  struct Start {
    std::size_t position;
    std::size_t useful_before;  ///< no optimum at or beyond this time has its last segment start here
  };
  constexpr std::size_t always = std::numeric_limits<std::size_t>::max();
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());  // F
  std::vector<std::size_t> last(n + 1, 0);
  least[0] = -penalty;
  std::vector<Start> starts{{0, always}};
  for (std::size_t end = options.shortest; end <= n; ++end) {
    std::erase_if(starts, [&](const Start& start) { return start.useful_before <= end; });
    for (const Start& start : starts) {
      const double total = least[start.position] + cost(start.position, end) + penalty;
      if (total < least[end]) {
        least[end] = total;
        last[end] = start.position;
      }
    }
    // A start that is beaten by a change at `end` stays beaten, but only from where a segment can have begun at `end`.
    for (Start& start : starts)
      if (start.useful_before == always && least[start.position] + cost(start.position, end) > least[end])
        start.useful_before = end + options.shortest;
    if (const std::size_t next = end + 1 - options.shortest; next >= options.shortest && next > 0)
      starts.push_back({next, always});
  }
  std::vector<std::size_t> found;
  for (std::size_t end = n; last[end] != 0; end = last[end]) found.push_back(last[end]);
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace assay::inline v0
