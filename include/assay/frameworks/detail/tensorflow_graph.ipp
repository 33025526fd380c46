#pragma once

#include "assay/frameworks/detail/tensorflow_graph.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/tensorflow_elementwise.hpp"
#include "assay/frameworks/detail/tensorflow_images.hpp"
#include "assay/frameworks/detail/tensorflow_lanes.hpp"
#include "assay/frameworks/detail/tensorflow_layout.hpp"
#include "assay/frameworks/detail/tensorflow_products.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE EagerTensor TensorFlowGraph::bring(const GraphTensor& tensor) {
  auto own = library_.bring(tensor);
  if (own) return std::move(own).value();
  refuse(own.error().kind, own.error().message);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE GraphTensor TensorFlowGraph::fetch(const EagerTensor& tensor) {
  auto own = library_.fetch(tensor);
  if (own) return std::move(own).value();
  refuse(own.error().kind, own.error().message);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<EagerTensor> TensorFlowGraph::compute_all(const TensorFlowCall& call) {
  std::vector<EagerTensor> none(static_cast<std::size_t>(call.outputs));
  if (refused()) return none;
  auto results = library_.compute(call);
  if (results) {
    note(call.name, library_.device());
    return std::move(results).value();
  }
  refuse(results.error().kind, results.error().message);
  return none;
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TensorFlowGraph::short_integers(const EagerExtents& values) {
  std::vector<double> own(values.begin(), values.end());
  return constant(tensor_of_values("", TensorType::int32, {static_cast<std::int64_t>(values.size())}, own));
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TensorFlowGraph::reshape(const EagerTensor& x, const EagerExtents& extents) {
  return compute("Reshape", {x, integers(extents)});
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TensorFlowGraph::transpose(const EagerTensor& x, const EagerExtents& order) {
  return compute("Transpose", {x, integers(order)});
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator TensorFlowGraph::mapping(const std::string& operation) const {
  for (const auto family :
       {tensorflow_elementwise, tensorflow_lanes, tensorflow_layout, tensorflow_products, tensorflow_images})
    if (const Operator own = family(operation); own.map != nullptr) return own;
  return {};
}

}  // namespace assay::inline v0::detail
