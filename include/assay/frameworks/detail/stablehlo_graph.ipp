#pragma once

#include "assay/frameworks/detail/stablehlo_graph.hpp"

#include <utility>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE StableHloGraph::StableHloGraph(const OperatorGraph& graph, bool highest_precision)
    : highest_precision_(highest_precision) {
  for (const GraphTensor& tensor : graph.constants) constants_[tensor.name] = &tensor;
  for (const GraphValue& input : graph.inputs) {
    if (hlo_element(input.type).empty())
      refuse("elements of " + std::string(name_of(input.type)) + " are not handed to compilers of StableHLO");
    values_[input.name] = {"%" + input.name, input.type, input.extents};
  }
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloGraph::in(const GraphNode& node, std::size_t input) {
  const std::string name = input < node.inputs.size() ? node.inputs[input] : "";
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  if (const auto found = constants_.find(name); found != constants_.end())
    return values_[name] = constant(*found->second);
  refuse(ErrorKind::invalid, node.operation + " has no input " + std::to_string(input));
  return {"%none", TensorType::float32, {}};
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloGraph::unwidened(const GraphNode& node, std::size_t input) {
  const auto found = input < node.inputs.size() ? widened_.find(node.inputs[input]) : widened_.end();
  return found != widened_.end() ? found->second : in(node, input);
}

ASSAY_DETAIL_HEADER_INLINE void StableHloGraph::out(const GraphNode& node, const HloValue& value, std::size_t output) {
  if (wants(node, output)) values_[node.outputs[output]] = value;
}

ASSAY_DETAIL_HEADER_INLINE void StableHloGraph::mark_widened(const GraphNode& node, const HloValue& before) {
  if (wants(node, 0)) widened_[node.outputs[0]] = before;
}

ASSAY_DETAIL_HEADER_INLINE HloExtents StableHloGraph::list(const GraphNode& node, std::size_t input) {
  const auto found = input < node.inputs.size() ? constants_.find(node.inputs[input]) : constants_.end();
  if (found != constants_.end() && element_format_of(found->second->type)) return integers_in(*found->second);
  refuse(node.operation + " takes a list that is computed, which StableHLO cannot");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t StableHloGraph::axis(const GraphNode& node, const HloValue& x,
                                                             std::int64_t otherwise) {
  std::int64_t own = integer(node, "axis", otherwise);
  if (own < 0) own += x.rank();
  if (own >= 0 && own < x.rank()) return own;
  refuse(ErrorKind::invalid, node.operation + " has no such axis");
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE const HloValue* StableHloGraph::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? &found->second : nullptr;
}

}  // namespace assay::inline v0::detail
