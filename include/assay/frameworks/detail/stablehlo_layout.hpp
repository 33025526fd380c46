#pragma once

#include <string>

#include "assay/frameworks/detail/stablehlo_graph.hpp"

namespace assay::inline v0::detail {

/// Operators that move elements: how each is written; null of others.
[[nodiscard]] HloLowering layout_lowering(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_layout.ipp"
#endif
