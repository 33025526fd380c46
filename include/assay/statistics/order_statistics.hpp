#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// What a quantile at p of n sorted samples x[0] ≤ … ≤ x[n−1] is. The numbers are those of Hyndman, Fan, "Sample
/// quantiles in statistical packages", The American Statistician 50 (1996): programs differ in them, and a latency's
/// 99th percentile with them.
enum class QuantileDefinition {
  type_1,  ///< inverse of the empirical distribution: x[⌈np⌉−1]. Always a sample
  type_7,  ///< linear, at position (n−1)p: the default of numpy, R and spreadsheets
  /// linear, at position (n+1/3)p − 2/3: nearly unbiased for the median of the quantile, whatever the distribution
  type_8,
  loadgen  ///< x[⌊np⌋], at most x[n−1]: MLPerf LoadGen. Always a sample
};

namespace detail {

[[nodiscard]] inline std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace detail

/// The quantile at `p` of samples that are sorted already. O(1). Preconditions: as of `quantile`; ascending order,
/// which is not checked.
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double p,
                                        QuantileDefinition definition = QuantileDefinition::type_7);

/// The quantile at `p` of samples in any order, in their unit. O(n log n).
/// Misuse: no samples, a sample that is NaN, infinite or beyond `largest_sample`, p outside [0, 1].
[[nodiscard]] inline double quantile(std::span<const double> samples, double p,
                                     QuantileDefinition definition = QuantileDefinition::type_7) {
  detail::expect_samples(samples, 1, "quantile()");
  return quantile_of_sorted(detail::sorted_copy(samples), p, definition);
}

/// The median: for an even number the middle between both middle samples. O(n). Misuse: as of `quantile`.
[[nodiscard]] double median(std::span<const double> samples);

/// A normal distribution's standard deviation is this many times its median absolute deviation: 1 / Φ⁻¹(3/4).
inline constexpr double deviations_per_median_absolute_deviation = 1.482602218505602;

/// The median of |x − median(x)|, unscaled: × `deviations_per_median_absolute_deviation` estimates σ of normal samples,
/// and stays bounded while fewer than half of the samples are spoilt. O(n). Misuse: as of `quantile`.
[[nodiscard]] double median_absolute_deviation(std::span<const double> samples);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/order_statistics.ipp"
#endif
