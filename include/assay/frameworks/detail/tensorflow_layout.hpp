#pragma once

#include <string>

#include "assay/frameworks/detail/tensorflow_graph.hpp"

namespace assay::inline v0::detail {

/// What moves elements by TensorFlow's operators: transposition, concatenation, slices, padding, gathering.
[[nodiscard]] EagerGraph::Operator tensorflow_layout(const std::string& operation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_layout.ipp"
#endif
