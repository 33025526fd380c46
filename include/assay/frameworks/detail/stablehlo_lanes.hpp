#pragma once

#include <string>

#include "assay/frameworks/detail/stablehlo_graph.hpp"

namespace assay::inline v0::detail {

/// x − max(x) along axes and its logarithm of the sum of exponentials, in float32 or float64.
struct HloLogSum {
  HloValue shifted, logarithm;
};
[[nodiscard]] HloLogSum hlo_log_sum(StableHloGraph& graph, const HloValue& x, const HloExtents& axes);

/// Operators along axes: softmax, normalization, reductions: how each is written; null of others.
[[nodiscard]] HloLowering lane_lowering(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_lanes.ipp"
#endif
