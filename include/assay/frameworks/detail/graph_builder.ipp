#pragma once

#include "assay/frameworks/detail/graph_builder.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE TensorType GraphBuilder::type_of(const ElementFormat& format) {
  auto type = tensor_type_of(format);
  if (type) return type.value();
  refuse(type.error().message);
  return TensorType::float32;
}

ASSAY_DETAIL_HEADER_INLINE std::string GraphBuilder::input(int position, const ElementFormat& format,
                                                           GraphExtents extents, bool transposed) {
  const TensorType type = type_of(format);
  std::string name = "x" + std::to_string(position);
  graph_.model.graph.inputs.push_back({name, type, extents});
  graph_.inputs.push_back({position, name, type, std::move(extents), transposed});
  return name;
}

ASSAY_DETAIL_HEADER_INLINE std::string GraphBuilder::node(std::string operation, std::vector<std::string> inputs,
                                                          std::vector<GraphAttribute> attributes) {
  std::string name = fresh();
  node_with(std::move(operation), std::move(inputs), {name}, std::move(attributes));
  return name;
}

ASSAY_DETAIL_HEADER_INLINE void GraphBuilder::node_with(std::string operation, std::vector<std::string> inputs,
                                                        std::vector<std::string> outputs,
                                                        std::vector<GraphAttribute> attributes) {
  GraphNode node{std::move(operation), std::move(inputs), std::move(outputs), std::move(attributes)};
  node.name = node.operation + "_" + std::to_string(graph_.model.graph.nodes.size());
  graph_.model.graph.nodes.push_back(std::move(node));
}

ASSAY_DETAIL_HEADER_INLINE std::string GraphBuilder::constant(const ElementFormat& format, GraphExtents extents,
                                                              const std::vector<double>& values) {
  std::string name = "c" + std::to_string(graph_.model.graph.constants.size());
  const TensorType type = type_of(format);
  if (!refused_) graph_.model.graph.constants.push_back(tensor_of_values(name, type, std::move(extents), values));
  return name;
}

ASSAY_DETAIL_HEADER_INLINE std::string GraphBuilder::integers(const GraphExtents& values) {
  GraphTensor tensor{"c" + std::to_string(graph_.model.graph.constants.size()),
                     TensorType::int64,
                     {static_cast<std::int64_t>(values.size())},
                     {},
                     {}};
  tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
  graph_.model.graph.constants.push_back(tensor);
  return tensor.name;
}

ASSAY_DETAIL_HEADER_INLINE std::string GraphBuilder::cast(const std::string& tensor, const ElementFormat& from,
                                                          const ElementFormat& to) {
  if (from == to) return tensor;
  return node("Cast", {tensor}, {whole("to", static_cast<std::int64_t>(type_of(to)))});
}

ASSAY_DETAIL_HEADER_INLINE void GraphBuilder::output(int position, const std::string& tensor,
                                                     const ElementFormat& format, GraphExtents extents) {
  const TensorType type = type_of(format);
  const auto& inputs = graph_.model.graph.inputs;
  const bool is_input = std::any_of(inputs.begin(), inputs.end(), [&](const auto& own) { return own.name == tensor; });
  const std::string name = is_input ? node("Identity", {tensor}) : tensor;
  graph_.model.graph.outputs.push_back({name, type, extents});
  graph_.outputs.push_back({position, name, type, std::move(extents), false});
}

ASSAY_DETAIL_HEADER_INLINE void GraphBuilder::needs_opset(std::int64_t version) {
  std::int64_t& own = graph_.model.opsets[""];
  own = std::max(own, version);
  if (own >= 23) graph_.model.ir_version = 11;
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> GraphBuilder::finish() {
  if (refused_) return Failure{*refused_};
  return graph_;
}

}  // namespace assay::inline v0::detail
