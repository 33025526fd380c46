#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// What a segment of normal values costs: −2·log likelihood at its best, up to what all segmentations share.
enum class NormalCost {
  mean,               ///< Σ(x−x̄)²/σ²: the level changes, σ is that of the whole series
  mean_and_deviation  ///< n·log(Σ(x−x̄)²/n): the level or the spread changes
};

/// What a change costs.
struct PeltOptions {
  NormalCost cost = NormalCost::mean;
  /// β, what a change point costs. By default 2·log n for `mean` and 3·log n for `mean_and_deviation`: Schwarz's criterion with the position counted.
  std::optional<double> penalty;
  std::size_t shortest = 3;  ///< runs in a segment
  /// σ of `mean`, in the unit of the series. By default from the median absolute difference of neighbours, which steps do not move.
  std::optional<double> deviation;
};

namespace detail {

/// The cost of any stretch of a series, from prefix sums. O(1) a stretch.
class StretchCost {
 public:
  StretchCost(std::span<const double> series, NormalCost kind, double deviation)
      : kind_(kind), sums_(series.size() + 1), squares_(series.size() + 1) {
    const double centre = median(series);
    double largest = 0;
    for (const double value : series) largest = std::max(largest, std::abs(value - centre));
    const double unit = largest > 0 ? largest : 1;
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double value = (series[i] - centre) / unit;
      sums_[i + 1] = sums_[i] + value;
      squares_[i + 1] = squares_[i] + value * value;
    }
    variance_ = deviation / unit * (deviation / unit);
    const auto n = static_cast<double>(series.size());
    // Equal runs would have likelihood without bound: a spread below a hundredth of the whole series' counts as that.
    least_variance_ = 1e-4 * std::max(squares_.back() / n - sums_.back() / n * (sums_.back() / n), 1e-30);
  }

  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const {
    const auto n = static_cast<double>(end - begin);
    const double sum = sums_[end] - sums_[begin];
    const double rest = std::max(squares_[end] - squares_[begin] - sum * sum / n, 0.0);
    return kind_ == NormalCost::mean ? rest / variance_ : n * std::log(std::max(rest / n, least_variance_));
  }

 private:
  NormalCost kind_;
  std::vector<double> sums_;
  std::vector<double> squares_;
  double variance_ = 1;
  double least_variance_ = 0;
};

/// σ of normal noise from the median of |xₜ₊₁ − xₜ|; where most neighbours are equal, from the mean of their squares. 0 for a constant series.
[[nodiscard]] inline double deviation_of_neighbours(std::span<const double> series) {
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

/// The change points, ascending, each the first run of a new level: those that minimise Σ cost of the segments + β·(number of change points) exactly, by
/// F(t) = min over s of F(s) + C(s, t) + β with pruning. Source: Killick, Fearnhead, Eckley, Journal of the American Statistical Association 107 (2012).
///
/// Known noise is presumed normal and independent: heavy tails and autocorrelation give false change points; multiply the penalty by
/// `variance_inflation` for the latter. A constant series has no change points, nor has one shorter than two segments.
/// O(n) where change points are spread over the series, O(n²) at worst: 10⁴ runs without change take a second.
/// Misuse: a sample that is NaN, infinite or beyond `largest_sample`; a penalty that is negative, a deviation that is not positive, `shortest` of 0.
[[nodiscard]] inline std::vector<std::size_t> pelt(std::span<const double> series, const PeltOptions& options = {}) {
  detail::expect_samples(series, 0, "pelt()");
  expect(options.shortest >= 1, [] { return "PeltOptions::shortest is 0; a segment has a run at least"; });
  expect(!options.penalty || (*options.penalty >= 0 && are_samples({&*options.penalty, 1})),
         [] { return "PeltOptions::penalty is negative or no number"; });
  if (options.deviation) detail::expect_positive(*options.deviation, "PeltOptions::deviation");
  const std::size_t n = series.size();
  if (n < 2 * options.shortest) return {};
  const double deviation = options.deviation ? *options.deviation : detail::deviation_of_neighbours(series);
  if (deviation == 0) return {};
  const double penalty = options.penalty ? *options.penalty : (options.cost == NormalCost::mean ? 2 : 3) * std::log(static_cast<double>(n));
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
    if (const std::size_t next = end + 1 - options.shortest; next >= options.shortest && next > 0) starts.push_back({next, always});
  }
  std::vector<std::size_t> found;
  for (std::size_t end = n; last[end] != 0; end = last[end]) found.push_back(last[end]);
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace assay::inline v0
