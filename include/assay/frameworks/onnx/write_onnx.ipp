#pragma once

#include "assay/frameworks/onnx/write_onnx.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/protobuf.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string onnx_graph_text(const OperatorGraph& graph);

[[nodiscard]] inline std::string onnx_attribute_text(const GraphAttribute& attribute) {
  if (attribute.kind == AttributeKind::other) return attribute.text;
  ProtobufWriter writer;
  writer.text(1, attribute.name);
  int kind = 0;
  switch (attribute.kind) {
    case AttributeKind::real: kind = 1, writer.real(2, attribute.real); break;
    case AttributeKind::integer: kind = 2, writer.varint(3, static_cast<std::uint64_t>(attribute.integer)); break;
    case AttributeKind::text: kind = 3, writer.text(4, attribute.text); break;
    case AttributeKind::tensor: kind = 4, writer.text(5, write_onnx_tensor(attribute.tensors.front())); break;
    case AttributeKind::graph: kind = 5, writer.text(6, onnx_graph_text(attribute.graphs.front())); break;
    case AttributeKind::reals:
      kind = 6;
      for (const float value : attribute.reals) writer.real(7, value);
      break;
    case AttributeKind::integers:
      kind = 7;
      for (const std::int64_t value : attribute.integers) writer.varint(8, static_cast<std::uint64_t>(value));
      break;
    case AttributeKind::texts:
      kind = 8;
      for (const std::string& value : attribute.texts) writer.text(9, value);
      break;
    case AttributeKind::other: break;
  }
  return writer.varint(20, static_cast<std::uint64_t>(kind)).take();
}

[[nodiscard]] inline std::string onnx_node_text(const GraphNode& node) {
  ProtobufWriter writer;
  for (const std::string& input : node.inputs) writer.text(1, input);
  for (const std::string& output : node.outputs) writer.text(2, output);
  if (!node.name.empty()) writer.text(3, node.name);
  writer.text(4, node.operation);
  for (const GraphAttribute& attribute : node.attributes) writer.text(5, onnx_attribute_text(attribute));
  if (!node.domain.empty()) writer.text(7, node.domain);
  return writer.take();
}

[[nodiscard]] inline std::string onnx_value_text(const GraphValue& value) {
  ProtobufWriter writer;
  writer.text(1, value.name);
  if (value.type == TensorType::undefined) return writer.take();
  ProtobufWriter tensor;
  tensor.varint(1, static_cast<std::uint64_t>(value.type));
  if (value.has_shape) {
    ProtobufWriter shape;
    for (const std::int64_t extent : value.extents) {
      ProtobufWriter dimension;
      if (extent >= 0) dimension.varint(1, static_cast<std::uint64_t>(extent));
      shape.text(1, dimension.take());
    }
    tensor.text(2, shape.take());
  }
  return writer.text(2, ProtobufWriter().text(1, tensor.take()).take()).take();
}

[[nodiscard]] inline std::string onnx_graph_text(const OperatorGraph& graph) {
  ProtobufWriter writer;
  for (const GraphNode& node : graph.nodes) writer.text(1, onnx_node_text(node));
  writer.text(2, graph.name);
  for (const GraphTensor& constant : graph.constants) writer.text(5, write_onnx_tensor(constant));
  for (const GraphValue& value : graph.inputs) writer.text(11, onnx_value_text(value));
  for (const GraphValue& value : graph.outputs) writer.text(12, onnx_value_text(value));
  for (const GraphValue& value : graph.values) writer.text(13, onnx_value_text(value));
  return writer.take();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string write_onnx_tensor(const GraphTensor& tensor) {
  detail::ProtobufWriter writer;
  for (const std::int64_t extent : tensor.extents) writer.varint(1, static_cast<std::uint64_t>(extent));
  writer.varint(2, static_cast<std::uint64_t>(tensor.type));
  for (const std::string& text : tensor.strings) writer.text(6, text);
  if (!tensor.name.empty()) writer.text(8, tensor.name);
  if (tensor.type != TensorType::string) writer.text(9, tensor.bytes);
  return writer.take();
}

ASSAY_DETAIL_HEADER_INLINE std::string write_onnx_model(const GraphModel& model) {
  detail::ProtobufWriter writer;
  writer.varint(1, static_cast<std::uint64_t>(model.ir_version)).text(2, model.producer);
  writer.text(7, detail::onnx_graph_text(model.graph));
  for (const auto& [domain, version] : model.opsets)
    writer.text(8, detail::ProtobufWriter().text(1, domain).varint(2, static_cast<std::uint64_t>(version)).take());
  return writer.take();
}

}  // namespace assay::inline v0
