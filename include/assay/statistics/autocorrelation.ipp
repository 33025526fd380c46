#pragma once

#include "assay/statistics/autocorrelation.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double lag_1_autocorrelation(std::span<const double> series) {
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

ASSAY_DETAIL_HEADER_INLINE double lag_1_rank_autocorrelation(std::span<const double> series) {
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

}  // namespace assay::inline v0
