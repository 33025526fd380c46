#pragma once

#include <string>

#include "assay/frameworks/detail/stablehlo_graph.hpp"

namespace assay::inline v0::detail {

/// x·yᵀ and the like, summed as `type`: dimensions by the numbers of dot_general.
[[nodiscard]] HloValue hlo_dot(StableHloGraph& graph, const HloValue& a, const HloValue& b, const HloExtents& batch,
                               std::int64_t contract_a, std::int64_t contract_b, TensorType type);

/// Products of matrices and attention: how each is written; null of others.
[[nodiscard]] HloLowering product_lowering(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_products.ipp"
#endif
