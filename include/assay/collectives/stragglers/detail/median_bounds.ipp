#pragma once

#include "assay/collectives/stragglers/detail/median_bounds.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::size_t median_bound_rank(std::size_t n, double error) {
  double term = std::exp2(-static_cast<double>(n)), sum = 0;
  if (term == 0)
    return n / 2 - static_cast<std::size_t>(std::sqrt(-2 * std::log(error)) * std::sqrt(static_cast<double>(n)) / 2 +
                                            1);  // Hoeffding, for n > 1074
  for (std::size_t r = 0; r < n; ++r) {
    sum += term;
    if (sum > error) return r;
    term *= static_cast<double>(n - r) / static_cast<double>(r + 1);
  }
  return n;
}

ASSAY_DETAIL_HEADER_INLINE MedianBounds median_bounds(std::vector<double> samples, double error) {
  MedianBounds bounds;
  if (samples.empty()) return bounds;
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size(), r = median_bound_rank(n, error);
  bounds.median = n % 2 != 0 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  if (r > 0) {
    bounds.lower = samples[r - 1];
    bounds.upper = samples[n - r];
  }
  return bounds;
}

}  // namespace assay::inline v0::detail
