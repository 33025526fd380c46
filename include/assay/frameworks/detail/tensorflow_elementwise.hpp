#pragma once

#include <string>

#include "assay/frameworks/detail/tensorflow_graph.hpp"

namespace assay::inline v0::detail {

/// Elementwise functions, arithmetic and casts by TensorFlow's operators.
[[nodiscard]] EagerGraph::Operator tensorflow_elementwise(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_elementwise.ipp"
#endif
