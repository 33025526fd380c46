#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "assay/core/config.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// A percentile of latencies, with the interval that so few samples leave.
struct LatencyPercentile {
  double p = 0.5;    ///< in (0, 1)
  double value = 0;  ///< in the unit of the samples
  double lower = 0;  ///< end of the interval; minus infinity: too few samples for any
  double upper = std::numeric_limits<double>::infinity();  ///< end of the interval; infinite: too few samples for any
  std::size_t samples = 0;
  QuantileDefinition definition = QuantileDefinition::loadgen;
};

/// The percentile and an interval that holds the true one with `confidence` whatever the distribution: order statistics
/// by the binomial distribution (David, Nagaraja, "Order statistics", 2003, §7.1). Samples are taken as independent;
/// those of one overloaded phase are not, and their interval is too short. O(n) beyond sorting.
/// Misuse: no samples, p or confidence outside (0, 1), samples that are not finite. Precondition: ascending order.
[[nodiscard]] LatencyPercentile latency_percentile(std::span<const double> sorted, double p, double confidence = 0.95,
                                                   QuantileDefinition definition = QuantileDefinition::loadgen);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/latency_percentile.ipp"
#endif
