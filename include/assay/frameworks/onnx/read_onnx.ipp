#pragma once

#include "assay/frameworks/onnx/read_onnx.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/protobuf.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr int deepest_graph = 32;

[[nodiscard]] inline Failure broken_onnx(const std::string& what) {
  return failure(ErrorKind::malformed, what);
}

/// Integers that stand one a field, or packed.
[[nodiscard]] inline bool take_integers(const ProtobufReader& reader, std::vector<std::int64_t>& integers) {
  if (reader.wire == ProtobufWire::varint) integers.push_back(static_cast<std::int64_t>(reader.number));
  if (reader.wire != ProtobufWire::bytes) return reader.wire == ProtobufWire::varint;
  ProtobufReader packed(reader.bytes);
  for (std::uint64_t value = 0; packed.packed_varint(value);) integers.push_back(static_cast<std::int64_t>(value));
  return packed.good();
}

/// Numbers of 4 or 8 bytes, as they are in memory.
[[nodiscard]] inline bool take_fixed(const ProtobufReader& reader, std::size_t size, std::string& raw) {
  const ProtobufWire one = size == 4 ? ProtobufWire::fixed32 : ProtobufWire::fixed64;
  if (reader.wire == one)
    raw.append(reinterpret_cast<const char*>(&reader.number), size);
  else if (reader.wire == ProtobufWire::bytes && reader.bytes.size() % size == 0)
    raw.append(reader.bytes);
  else
    return false;
  return true;
}

/// Data that stand in fields of wider numbers than they are: int32_data, int64_data and uint64_data. Types that share
/// bytes have a number a byte (onnx.proto3).
[[nodiscard]] inline std::string narrowed(const GraphTensor& tensor, const std::vector<std::int64_t>& integers) {
  const int bits = bits_of(tensor.type);
  const std::size_t width = bits < 8 ? 1 : static_cast<std::size_t>(bits) / 8;
  std::string bytes;
  bytes.reserve(integers.size() * width);
  for (const std::int64_t value : integers) bytes.append(reinterpret_cast<const char*>(&value), width);
  return bytes;
}

/// In which field a type's data may stand instead of raw_data.
[[nodiscard]] inline int data_field_of(TensorType type) {
  switch (type) {
    case TensorType::float32:
    case TensorType::complex64: return 4;
    case TensorType::string: return 6;
    case TensorType::int64: return 7;
    case TensorType::float64:
    case TensorType::complex128: return 10;
    case TensorType::uint32:
    case TensorType::uint64: return 11;
    default: return 5;
  }
}

/// The tensor's own, after all of its fields were read.
struct TensorFields {
  std::vector<std::int64_t> integers;
  std::string floats, doubles;
  int integer_field = 0;
  bool raw = false, external = false, segment = false;
};

[[nodiscard]] inline Result<void> finish_tensor(GraphTensor& tensor, TensorFields& fields) {
  const std::string who = "tensor '" + tensor.name + "'";
  if (fields.external)
    return failure(ErrorKind::unsupported,
                   who +
                       " has its data in another file, which is not opened; save the model with its data inside "
                       "(onnx.save_model(model, path, save_as_external_data=False))");
  if (fields.segment) return failure(ErrorKind::unsupported, who + " is a segment of a larger one");
  if (tensor.type == TensorType::undefined || name_of(tensor.type) == "unknown")
    return broken_onnx(who + " has the element type " + std::to_string(static_cast<int>(tensor.type)) +
                       ", which ONNX does not have");
  const std::int64_t elements = tensor.size();
  if (elements < 0)
    return broken_onnx(who + ": extents " + shape_text(tensor.type, tensor.extents) +
                       " are negative, or too many elements");
  const int field = data_field_of(tensor.type);
  if (tensor.type == TensorType::string) {
    if (static_cast<std::uint64_t>(elements) != tensor.strings.size())
      return broken_onnx(who + " has " + std::to_string(tensor.strings.size()) + " strings for " +
                         shape_text(tensor.type, tensor.extents));
    return {};
  }
  if (!fields.raw) {
    if (field == 4) tensor.bytes = std::move(fields.floats);
    if (field == 10) tensor.bytes = std::move(fields.doubles);
    if (field == 5 || field == 7 || field == 11) {
      if (fields.integer_field != 0 && fields.integer_field != field)
        return broken_onnx(who + " of type " + std::string(name_of(tensor.type)) +
                           " has its data in a field of another type");
      tensor.bytes = narrowed(tensor, fields.integers);
    }
  }
  const std::int64_t due = tensor.byte_size();
  if (due < 0 || static_cast<std::uint64_t>(due) != tensor.bytes.size())
    return broken_onnx(who + ": " + shape_text(tensor.type, tensor.extents) + " needs " + std::to_string(due) +
                       " bytes of data, and there are " + std::to_string(tensor.bytes.size()));
  return {};
}

[[nodiscard]] inline Result<OperatorGraph> read_onnx_graph(std::string_view bytes, int depth);

[[nodiscard]] inline Result<GraphAttribute> read_onnx_attribute(std::string_view bytes, int depth) {
  GraphAttribute attribute;
  attribute.text.clear();
  std::int64_t kind = 0;
  std::string reals;
  ProtobufReader reader(bytes);
  bool right = true;
  while (right && reader.next()) {
    const bool text = reader.wire == ProtobufWire::bytes, integer = reader.wire == ProtobufWire::varint;
    switch (reader.field) {
      case 1: right = text, attribute.name = text ? reader.bytes : std::string_view(); break;
      case 2:
        right = reader.wire == ProtobufWire::fixed32;
        std::memcpy(&attribute.real, &reader.number, sizeof attribute.real);
        break;
      case 3: right = integer, attribute.integer = static_cast<std::int64_t>(reader.number); break;
      case 4: right = text, attribute.text = text ? reader.bytes : std::string_view(); break;
      case 5: {
        if (!(right = text)) break;
        auto tensor = read_onnx_tensor(reader.bytes);
        if (!tensor) return tensor.propagate();
        attribute.tensors.push_back(std::move(tensor).value());
        break;
      }
      case 6: {
        if (!(right = text)) break;
        auto graph = read_onnx_graph(reader.bytes, depth + 1);
        if (!graph) return graph.propagate();
        attribute.graphs.push_back(std::move(graph).value());
        break;
      }
      case 7: right = take_fixed(reader, sizeof(float), reals); break;
      case 8: right = take_integers(reader, attribute.integers); break;
      case 9: right = text, attribute.texts.emplace_back(text ? reader.bytes : std::string_view()); break;
      case 20: right = integer, kind = static_cast<std::int64_t>(reader.number); break;
      default: break;
    }
  }
  if (!right || !reader.good()) return broken_onnx("an attribute '" + attribute.name + "' is broken");
  attribute.reals.resize(reals.size() / sizeof(float));
  if (!reals.empty()) std::memcpy(attribute.reals.data(), reals.data(), reals.size());
  constexpr AttributeKind kinds[] = {AttributeKind::other, AttributeKind::real,     AttributeKind::integer,
                                     AttributeKind::text,  AttributeKind::tensor,   AttributeKind::graph,
                                     AttributeKind::reals, AttributeKind::integers, AttributeKind::texts};
  attribute.kind = kind > 0 && kind < 9 ? kinds[kind] : AttributeKind::other;
  const bool lacks = (attribute.kind == AttributeKind::tensor && attribute.tensors.size() != 1) ||
                     (attribute.kind == AttributeKind::graph && attribute.graphs.size() != 1);
  if (lacks) return broken_onnx("an attribute '" + attribute.name + "' lacks what its type says");
  if (attribute.kind == AttributeKind::other) attribute.text = bytes;
  return attribute;
}

[[nodiscard]] inline Result<GraphNode> read_onnx_node(std::string_view bytes, int depth) {
  GraphNode node;
  ProtobufReader reader(bytes);
  while (reader.next()) {
    if (reader.wire != ProtobufWire::bytes) {
      if (reader.field <= 9) return broken_onnx("node '" + node.name + "' is broken");
      continue;
    }
    switch (reader.field) {
      case 1: node.inputs.emplace_back(reader.bytes); break;
      case 2: node.outputs.emplace_back(reader.bytes); break;
      case 3: node.name = reader.bytes; break;
      case 4: node.operation = reader.bytes; break;
      case 5: {
        auto attribute = read_onnx_attribute(reader.bytes, depth);
        if (!attribute)
          return failure(attribute.error().kind,
                         "node '" + node.name + "' (" + node.operation + "): " + attribute.error().message);
        node.attributes.push_back(std::move(attribute).value());
        break;
      }
      case 7: node.domain = reader.bytes; break;
      default: break;
    }
  }
  if (!reader.good()) return broken_onnx("node '" + node.name + "' is broken");
  return node;
}

/// TensorShapeProto: extents that have a name, or neither, are not known.
[[nodiscard]] inline bool read_onnx_shape(std::string_view bytes, std::vector<std::int64_t>& extents) {
  ProtobufReader shape(bytes);
  while (shape.next()) {
    if (shape.field != 1) continue;
    if (shape.wire != ProtobufWire::bytes) return false;
    std::int64_t extent = -1;
    ProtobufReader dimension(shape.bytes);
    while (dimension.next())
      if (dimension.field == 1 && dimension.wire == ProtobufWire::varint)
        extent = static_cast<std::int64_t>(dimension.number);
    if (!dimension.good() || extent < -1) return false;
    extents.push_back(extent);
  }
  return shape.good();
}

[[nodiscard]] inline Result<GraphValue> read_onnx_value(std::string_view bytes) {
  GraphValue value;
  value.has_shape = false;
  ProtobufReader reader(bytes);
  bool right = true;
  while (right && reader.next()) {
    if (reader.field > 2) continue;
    if (!(right = reader.wire == ProtobufWire::bytes)) break;
    if (reader.field == 1) {
      value.name = reader.bytes;
      continue;
    }
    ProtobufReader type(reader.bytes);
    while (right && type.next()) {
      if (type.field != 1 || type.wire != ProtobufWire::bytes) continue;  // sequences, maps, optional values
      ProtobufReader tensor(type.bytes);
      while (right && tensor.next()) {
        if (tensor.field == 1)
          right = tensor.wire == ProtobufWire::varint, value.type = static_cast<TensorType>(tensor.number);
        if (tensor.field == 2) {
          value.has_shape = true;
          right = tensor.wire == ProtobufWire::bytes && read_onnx_shape(tensor.bytes, value.extents);
        }
      }
      right = right && tensor.good();
    }
    right = right && type.good();
  }
  if (!right || !reader.good()) return broken_onnx("value '" + value.name + "' is broken");
  return value;
}

[[nodiscard]] inline Result<OperatorGraph> read_onnx_graph(std::string_view bytes, int depth) {
  if (depth > deepest_graph)
    return broken_onnx("graphs lie more than " + std::to_string(deepest_graph) + " deep in attributes");
  OperatorGraph graph;
  graph.name.clear();
  ProtobufReader reader(bytes);
  while (reader.next()) {
    const bool ours = reader.field == 1 || reader.field == 2 || reader.field == 5 ||
                      (reader.field >= 11 && reader.field <= 13) || reader.field == 15;
    if (!ours) continue;
    if (reader.wire != ProtobufWire::bytes) return broken_onnx("a graph is broken");
    if (reader.field == 1) {
      auto node = read_onnx_node(reader.bytes, depth);
      if (!node) return node.propagate();
      graph.nodes.push_back(std::move(node).value());
    } else if (reader.field == 2) {
      graph.name = reader.bytes;
    } else if (reader.field == 5) {
      auto constant = read_onnx_tensor(reader.bytes);
      if (!constant) return constant.propagate();
      graph.constants.push_back(std::move(constant).value());
    } else if (reader.field == 15) {
      return failure(ErrorKind::unsupported, "the graph has sparse constants");
    } else {
      auto value = read_onnx_value(reader.bytes);
      if (!value) return value.propagate();
      (reader.field == 11   ? graph.inputs
       : reader.field == 12 ? graph.outputs
                            : graph.values)
          .push_back(std::move(value).value());
    }
  }
  if (!reader.good()) return broken_onnx("a graph is broken");
  return graph;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> read_onnx_tensor(std::string_view bytes) {
  using detail::ProtobufWire;
  GraphTensor tensor;
  tensor.type = TensorType::undefined;
  detail::TensorFields fields;
  detail::ProtobufReader reader(bytes);
  bool right = true;
  while (right && reader.next()) {
    const bool text = reader.wire == ProtobufWire::bytes, integer = reader.wire == ProtobufWire::varint;
    switch (reader.field) {
      case 1: right = detail::take_integers(reader, tensor.extents); break;
      case 2:
        right = integer && reader.number < 1000;
        tensor.type = static_cast<TensorType>(reader.number);
        break;
      case 3: fields.segment = true; break;
      case 4: right = detail::take_fixed(reader, sizeof(float), fields.floats); break;
      case 5:
      case 7:
      case 11:
        if (fields.integer_field != 0 && fields.integer_field != reader.field) right = false;
        fields.integer_field = reader.field;
        right = right && detail::take_integers(reader, fields.integers);
        break;
      case 6: right = text, tensor.strings.emplace_back(text ? reader.bytes : std::string_view()); break;
      case 8: right = text, tensor.name = text ? reader.bytes : std::string_view(); break;
      case 9: right = text, fields.raw = true, tensor.bytes = text ? reader.bytes : std::string_view(); break;
      case 10: right = detail::take_fixed(reader, sizeof(double), fields.doubles); break;
      case 13: fields.external = true; break;
      case 14: right = integer, fields.external = fields.external || reader.number == 1; break;
      default: break;
    }
  }
  if (!right || !reader.good()) return detail::broken_onnx("tensor '" + tensor.name + "' is broken");
  if (auto finished = detail::finish_tensor(tensor, fields); !finished) return finished.propagate();
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphModel> read_onnx_model(std::string_view bytes) {
  using detail::ProtobufWire;
  GraphModel model;
  model.opsets.clear();
  model.producer.clear();
  model.ir_version = 0;
  bool has_graph = false, right = true;
  detail::ProtobufReader reader(bytes);
  while (right && reader.next()) {
    switch (reader.field) {
      case 1:
        right = reader.wire == ProtobufWire::varint, model.ir_version = static_cast<std::int64_t>(reader.number);
        break;
      case 2:
        right = reader.wire == ProtobufWire::bytes, model.producer = right ? reader.bytes : std::string_view();
        break;
      case 7: {
        if (!(right = reader.wire == ProtobufWire::bytes && !has_graph)) break;
        auto graph = detail::read_onnx_graph(reader.bytes, 0);
        if (!graph) return graph.propagate();
        model.graph = std::move(graph).value();
        has_graph = true;
        break;
      }
      case 8: {
        if (!(right = reader.wire == ProtobufWire::bytes)) break;
        std::string domain;
        std::int64_t version = 0;
        detail::ProtobufReader opset(reader.bytes);
        while (opset.next()) {
          if (opset.field == 1 && opset.wire == ProtobufWire::bytes) domain = opset.bytes;
          if (opset.field == 2 && opset.wire == ProtobufWire::varint) version = static_cast<std::int64_t>(opset.number);
        }
        right = opset.good();
        model.opsets[domain == "ai.onnx" ? "" : domain] = version;
        break;
      }
      case 25: ++model.functions; break;
      default: break;
    }
  }
  if (!right || !reader.good()) return detail::broken_onnx("this is no ONNX model, or a broken one");
  if (!has_graph) return detail::broken_onnx("this is no ONNX model: it has no graph");
  return model;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> read_whole_file(const std::string& path) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) return failure(ErrorKind::not_found, path + ": " + code.message());
  if (size > std::uintmax_t{1} << 31)
    return failure(ErrorKind::malformed, path + " has " + std::to_string(size) + " bytes; a message has 2^31 at most");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size)))
    return failure(ErrorKind::io, path + " could not be read");
  return bytes;
}

}  // namespace assay::inline v0
