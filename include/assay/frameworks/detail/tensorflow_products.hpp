#pragma once

#include <string>

#include "assay/frameworks/detail/tensorflow_graph.hpp"

namespace assay::inline v0::detail {

/// Products, rotations and attention by TensorFlow's operators.
[[nodiscard]] EagerGraph::Operator tensorflow_products(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_products.ipp"
#endif
