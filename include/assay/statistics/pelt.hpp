#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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
  /// β, what a change point costs. By default 2·log n for `mean` and 3·log n for `mean_and_deviation`: Schwarz's
  /// criterion with the position counted.
  std::optional<double> penalty;
  std::size_t shortest = 3;  ///< runs in a segment
  /// σ of `mean`, in the unit of the series. By default from the median absolute difference of neighbors, which steps
  /// do not move.
  std::optional<double> deviation;
};

namespace detail {

/// The cost of any stretch of a series, from prefix sums. O(1) a stretch.
class StretchCost {
 public:
  StretchCost(std::span<const double> series, NormalCost kind, double deviation);

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

}  // namespace detail

/// The change points, ascending, each the first run of a new level: those that minimize Σ cost of the segments +
/// β·(number of change points) exactly, by F(t) = min over s of F(s) + C(s, t) + β with pruning. Source: Killick,
/// Fearnhead, Eckley, Journal of the American Statistical Association 107 (2012).
///
/// Known noise is presumed normal and independent: heavy tails and autocorrelation give false change points; multiply
/// the penalty by `variance_inflation` for the latter. A constant series has no change points, nor has one shorter than
/// two segments. O(n) where change points are spread over the series, O(n²) at worst: 10⁴ runs without change take a
/// second. Misuse: a sample that is NaN, infinite or beyond `largest_sample`; a penalty that is negative, a deviation
/// that is not positive, `shortest` of 0.
[[nodiscard]] std::vector<std::size_t> pelt(std::span<const double> series, const PeltOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/pelt.ipp"
#endif
