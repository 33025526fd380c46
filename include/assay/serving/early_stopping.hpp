#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// Early stopping of MLPerf Inference: how few queries show that a percentile is kept. Source: the rules of MLPerf
/// Inference, appendix "early stopping"; LoadGen 6.0 computes the same.
struct EarlyStoppingOptions {
  double percentile = 0.99;  ///< in (0, 1)
  double confidence = 0.99;  ///< in (0, 1)
  double tolerance = 0;      ///< in [0, percentile)
};

/// The least number h of queries within the latency that, beside `over` queries beyond it, shows the percentile kept:
/// the smallest h with P(B ≤ over) ≤ 1 − confidence, B of h + over queries beyond with 1 − (percentile − tolerance) each.
/// O(over · log h). Misuse: options outside their ranges.
[[nodiscard]] std::uint64_t queries_within_latency(std::uint64_t over, const EarlyStoppingOptions& options = {});

/// Whether `queries`, of which `over` were beyond the latency, show that the percentile is kept.
[[nodiscard]] bool early_stopping_met(std::uint64_t queries, std::uint64_t over,
                                      const EarlyStoppingOptions& options = {});

/// An upper bound of the percentile with that confidence: the t-th largest latency, t the largest number that so many
/// queries allow to discard. Empty where there are too few queries. O(n log n). Precondition: ascending order.
[[nodiscard]] std::optional<double> early_stopping_estimate(std::span<const double> sorted,
                                                            const EarlyStoppingOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/early_stopping.ipp"
#endif
