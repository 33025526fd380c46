#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/statistics/detail/samples.hpp"

namespace assay::inline v0 {

/// The autocorrelation of a series at lag 1: Σ(xₜ−x̄)(xₜ₊₁−x̄) / Σ(xₜ−x̄)², from −1 to 1; 0 for a constant series. O(n).
/// Too small by (1+4ρ)/n on average for an autoregressive series (Marriott, Pope, Biometrika 41, 1954).
/// Misuse: fewer than two samples, a sample that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] inline double lag_1_autocorrelation(std::span<const double> series) {
  detail::expect_samples(series, 2, "lag_1_autocorrelation()");
  double mean = 0;  // over the first value, so that a constant series is one
  for (const double value : series) mean += (value - series.front()) / static_cast<double>(series.size());
  mean += series.front();
  double scale = 0;
  for (const double value : series) scale = std::max(scale, std::abs(value - mean));
  if (scale == 0) return 0;
  double squares = 0, products = 0, previous = 0;
  for (const double value : series) {
    const double residue = (value - mean) / scale;
    squares += residue * residue;
    products += previous * residue;
    previous = residue;
  }
  return products / squares;
}

/// The autocorrelation at lag 1 of the ranks, which a few extreme runs do not hide: Wald, Wolfowitz, Annals of Mathematical Statistics
/// 14 (1943). Equal values have the middle of their ranks. O(n log n). Misuse: as of `lag_1_autocorrelation`.
[[nodiscard]] inline double lag_1_rank_autocorrelation(std::span<const double> series) {
  detail::expect_samples(series, 2, "lag_1_rank_autocorrelation()");
  std::vector<double> sorted(series.begin(), series.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ranks;
  ranks.reserve(series.size());
  for (const double value : series) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(0.5 * static_cast<double>((first - sorted.begin()) + (last - sorted.begin()) - 1));
  }
  return lag_1_autocorrelation(ranks);
}

/// By how much autocorrelation multiplies the variance of a mean of a long stretch: (1+ρ)/(1−ρ) for an autoregressive series of order 1.
/// ρ is estimated from the ranks of `series`, with its bias of −(1+4ρ)/n taken back, and held within [0, 0.95]: the result is from 1 to
/// 39, and 1 for fewer than ten runs, which cannot tell. O(n log n). Misuse: as of `lag_1_autocorrelation`.
[[nodiscard]] inline double variance_inflation(std::span<const double> series) {
  if (series.size() < 10) return 1;
  const auto n = static_cast<double>(series.size());
  const double correlation = std::clamp((n * lag_1_rank_autocorrelation(series) + 1) / (n - 4), 0.0, 0.95);
  return (1 + correlation) / (1 - correlation);
}

}  // namespace assay::inline v0
