#pragma once

#include <string>

#include "assay/frameworks/detail/torch_graph.hpp"

namespace assay::inline v0::detail {

/// Products, rotations and attention by PyTorch's operators.
[[nodiscard]] EagerGraph::Operator torch_products(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_products.ipp"
#endif
