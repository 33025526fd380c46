#pragma once

#include <string>

#include "assay/frameworks/detail/torch_graph.hpp"

namespace assay::inline v0::detail {

/// What moves elements by PyTorch's operators: transposition, concatenation, slices, padding, gathering.
[[nodiscard]] EagerGraph::Operator torch_layout(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_layout.ipp"
#endif
