#pragma once

#include <string>

#include "assay/frameworks/detail/tensorflow_graph.hpp"

namespace assay::inline v0::detail {

/// Softmax, normalizations, reductions, scans and selections by TensorFlow's operators.
[[nodiscard]] EagerGraph::Operator tensorflow_lanes(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_lanes.ipp"
#endif
