#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// The autocorrelation of a series at lag 1: Σ(xₜ−x̄)(xₜ₊₁−x̄) / Σ(xₜ−x̄)², from −1 to 1; 0 for a constant series.
/// O(n). Too small by (1+4ρ)/n on average for an autoregressive series (Marriott, Pope, Biometrika 41, 1954). Misuse:
/// fewer than two samples, a sample that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] double lag_1_autocorrelation(std::span<const double> series);

/// The autocorrelation at lag 1 of the ranks, which a few extreme runs do not hide: Wald, Wolfowitz, Annals of
/// Mathematical Statistics 14 (1943). Equal values have the middle of their ranks. O(n log n). Misuse: as of
/// `lag_1_autocorrelation`.
[[nodiscard]] double lag_1_rank_autocorrelation(std::span<const double> series);

/// By how much autocorrelation multiplies the variance of a mean of a long stretch: (1+ρ)/(1−ρ) for an autoregressive
/// series of order 1. ρ is estimated from the ranks of `series`, with its bias of −(1+4ρ)/n taken back, and held within
/// [0, 0.95]: the result is from 1 to 39, and 1 for fewer than ten runs, which cannot tell. O(n log n). Misuse: as of
/// `lag_1_autocorrelation`.
[[nodiscard]] inline double variance_inflation(std::span<const double> series) {
  if (series.size() < 10) return 1;
  const auto n = static_cast<double>(series.size());
  const double correlation = std::clamp((n * lag_1_rank_autocorrelation(series) + 1) / (n - 4), 0.0, 0.95);
  return (1 + correlation) / (1 - correlation);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/autocorrelation.ipp"
#endif
