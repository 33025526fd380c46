#pragma once

#include <string>

#include "assay/frameworks/detail/torch_graph.hpp"

namespace assay::inline v0::detail {

/// Softmax, normalizations, reductions, scans and selections by PyTorch's operators.
[[nodiscard]] EagerGraph::Operator torch_lanes(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_lanes.ipp"
#endif
