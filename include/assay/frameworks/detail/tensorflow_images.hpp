#pragma once

#include <string>

#include "assay/frameworks/detail/tensorflow_graph.hpp"

namespace assay::inline v0::detail {

/// Convolution, pooling and resizing by TensorFlow's operators.
[[nodiscard]] EagerGraph::Operator tensorflow_images(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_images.ipp"
#endif
