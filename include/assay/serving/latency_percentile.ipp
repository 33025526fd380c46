#pragma once

#include "assay/serving/latency_percentile.hpp"

#include <cmath>
#include <cstdint>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE LatencyPercentile latency_percentile(std::span<const double> sorted, double p,
                                                                double confidence, QuantileDefinition definition) {
  expect(!sorted.empty(), [] { return "latency_percentile() was given no samples; it needs one at least"; });
  expect(p > 0 && p < 1 && confidence > 0 && confidence < 1,
         [] { return "latency_percentile() takes p and confidence between 0 and 1, both excluded"; });
  LatencyPercentile estimate{p, quantile_of_sorted(sorted, p, definition), sorted.front()};
  estimate.lower = -std::numeric_limits<double>::infinity();
  estimate.samples = sorted.size();
  estimate.definition = definition;
  // x[l] lies above the true value with P(B ≤ l), x[u] below it with P(B > u), B of n samples below the true value.
  const auto n = static_cast<double>(sorted.size());
  const double tail = (1 - confidence) / 2, odds = std::log(p) - std::log1p(-p);
  double term = n * std::log1p(-p), at_most = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    at_most += std::exp(term);
    if (at_most <= tail) estimate.lower = sorted[k];
    if (1 - at_most <= tail) {
      estimate.upper = sorted[k];
      break;
    }
    term += std::log((n - static_cast<double>(k)) / static_cast<double>(k + 1)) + odds;
  }
  return estimate;
}

}  // namespace assay::inline v0
