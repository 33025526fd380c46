#pragma once

#include <string>

#include "assay/frameworks/detail/stablehlo_graph.hpp"

namespace assay::inline v0::detail {

/// Elementwise functions and arithmetic: how each is written; null of others.
[[nodiscard]] HloLowering elementwise_lowering(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_elementwise.ipp"
#endif
