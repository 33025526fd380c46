#pragma once

#include "assay/statistics/order_statistics.hpp"

#include <cmath>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double interpolated(std::span<const double> sorted, double position) {
  position = std::clamp(position, 0.0, static_cast<double>(sorted.size() - 1));
  const auto below = static_cast<std::size_t>(position);
  const double share = position - static_cast<double>(below);
  return share == 0 ? sorted[below] : std::lerp(sorted[below], sorted[below + 1], share);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double quantile_of_sorted(std::span<const double> sorted, double p,
                                                     QuantileDefinition definition) {
  expect(!sorted.empty() && p >= 0 && p <= 1, [] { return "a quantile needs at least one sample, and p from 0 to 1"; });
  const auto n = static_cast<double>(sorted.size());
  switch (definition) {
    case QuantileDefinition::type_1: return sorted[static_cast<std::size_t>(std::max(std::ceil(n * p) - 1, 0.0))];
    case QuantileDefinition::type_7: return detail::interpolated(sorted, (n - 1) * p);
    case QuantileDefinition::type_8: return detail::interpolated(sorted, (n + 1.0 / 3) * p - 2.0 / 3);
    case QuantileDefinition::loadgen: return sorted[std::min(static_cast<std::size_t>(n * p), sorted.size() - 1)];
  }
  misuse("quantile_of_sorted() was given a definition that is none of QuantileDefinition");
}

ASSAY_DETAIL_HEADER_INLINE double median(std::span<const double> samples) {
  detail::expect_samples(samples, 1, "median()");
  std::vector<double> values(samples.begin(), samples.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 != 0 ? *middle : std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

ASSAY_DETAIL_HEADER_INLINE double median_absolute_deviation(std::span<const double> samples) {
  const double center = median(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) distances.push_back(std::abs(sample - center));
  return median(distances);
}

}  // namespace assay::inline v0
