#pragma once

#include <string>

#include "assay/frameworks/detail/torch_graph.hpp"

namespace assay::inline v0::detail {

/// Elementwise functions, arithmetic and casts by PyTorch's operators.
[[nodiscard]] EagerGraph::Operator torch_elementwise(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_elementwise.ipp"
#endif
