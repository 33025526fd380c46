#pragma once

#include <string>

#include "assay/frameworks/detail/torch_graph.hpp"

namespace assay::inline v0::detail {

/// Convolution, pooling and resizing by PyTorch's operators.
[[nodiscard]] EagerGraph::Operator torch_images(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_images.ipp"
#endif
