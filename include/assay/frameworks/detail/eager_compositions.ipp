#pragma once

#include "assay/frameworks/detail/eager_compositions.hpp"

#include <cmath>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void compose_rotary(EagerGraph& graph, const GraphNode& node) {
  const EagerTensor own = graph.in(node, 0), x = graph.wide(own);  // images, heads, positions, elements
  if (x.rank() != 4 || has_input(node, 3))
    return graph.refuse("rotations without heads, or of given positions, are not mapped");
  const std::int64_t depth = x.extents[3];
  std::int64_t turned = integer_of(node, "rotary_embedding_dim", 0);
  if (turned == 0) turned = depth;
  const std::int64_t pairs = turned / 2;
  const auto table = [&](std::size_t input) {
    const EagerTensor all = graph.wide(graph.in(node, input));
    if (all.rank() == 3) return graph.reshape(all, {all.extents[0], 1, all.extents[1], all.extents[2]});
    graph.refuse(ErrorKind::invalid, "a table of rotations has images, positions and pairs");
    return all;
  };
  const EagerTensor cosine = table(1), sine = table(2);
  const bool interleaved = integer_of(node, "interleaved", 0) != 0;
  const EagerTensor a = interleaved ? graph.slice(x, 3, 0, turned - 1, 2) : graph.slice(x, 3, 0, pairs);
  const EagerTensor b = interleaved ? graph.slice(x, 3, 1, turned, 2) : graph.slice(x, 3, pairs, turned);
  const auto combined = [&](const char* operation, const EagerTensor& p, const EagerTensor& q) {
    return graph.apply(operation, {graph.apply("Mul", {a, p}), graph.apply("Mul", {b, q})});
  };
  const EagerTensor real = combined("Sub", cosine, sine), imaginary = combined("Add", sine, cosine);
  const auto joined = [&](const EagerTensor& p, const EagerTensor& q, std::int64_t axis) {
    return graph.apply("Concat", {p, q}, {GraphAttribute("axis", axis)});
  };
  if (graph.refused()) return;
  EagerTensor y;
  if (interleaved) {
    const EagerExtents single{x.extents[0], x.extents[1], x.extents[2], pairs, 1};
    y = joined(graph.reshape(real, single), graph.reshape(imaginary, single), 4);
    if (graph.refused()) return;
    y = graph.reshape(y, {x.extents[0], x.extents[1], x.extents[2], turned});
  } else {
    y = joined(real, imaginary, 3);
  }
  if (turned < depth) y = joined(y, graph.slice(x, 3, turned, depth), 3);
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void check_attention(EagerGraph& graph, const GraphNode& node) {
  for (const std::size_t input : {4U, 5U, 6U})
    if (has_input(node, input)) return graph.refuse("attention with a past, or with lengths of keys, is not mapped");
  if (wants_output(node, 1) || wants_output(node, 2)) return graph.refuse("attention with a past is not mapped");
  if (wants_output(node, 3) && integer_of(node, "qk_matmul_output_mode", 0) != 2)
    return graph.refuse("scores other than those behind cap and mask are not mapped");
  const EagerTensor query = graph.in(node, 0), key = graph.in(node, 1), value = graph.in(node, 2);
  if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4 || key.extents[1] == 0 ||
      query.extents[1] % key.extents[1] != 0 || value.extents[1] != key.extents[1])
    return graph.refuse("attention of tensors without heads is not mapped");
  if (!has_input(node, 3)) return;
  const EagerTensor mask = graph.in(node, 3);
  if (!is_float(mask.type) || mask.rank() < 2 || mask.extents.back() != key.extents[2])
    return graph.refuse("attention with masks of truth values, or of fewer keys, is not mapped");
}

ASSAY_DETAIL_HEADER_INLINE double attention_scale(const GraphNode& node, std::int64_t depth) {
  return real_of(node, "scale", 1 / std::sqrt(static_cast<double>(depth)));
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor attention_scores(EagerGraph& graph, const GraphNode& node) {
  const EagerTensor query = graph.wide(graph.in(node, 0)), key = graph.wide(graph.in(node, 1));
  if (graph.refused()) return {};
  const EagerExtents &q = query.extents, &k = key.extents;
  const EagerTensor turned = graph.apply("Transpose", {key}, {GraphAttribute("perm", EagerExtents{0, 1, 3, 2})});
  // Heads of queries that share one of keys are rows of one product.
  const EagerTensor grouped = graph.reshape(query, {q[0], k[1], q[1] / k[1] * q[2], q[3]});
  EagerTensor s = graph.reshape(graph.apply("MatMul", {grouped, turned}), {q[0], q[1], q[2], k[2]});
  s = graph.scaled(s, attention_scale(node, q[3]));
  if (const double cap = real_of(node, "softcap", 0); cap != 0)
    s = graph.scaled(graph.apply("Tanh", {graph.scaled(s, 1 / cap)}), cap);
  if (has_input(node, 3)) s = graph.apply("Add", {s, graph.convert(graph.in(node, 3), s.type)});
  if (graph.refused() || integer_of(node, "is_causal", 0) == 0) return s;
  std::vector<double> mask;
  for (std::int64_t row = 0; row < q[2]; ++row)
    for (std::int64_t column = 0; column < k[2]; ++column)
      mask.push_back(column <= row ? 0 : -std::numeric_limits<double>::infinity());
  return graph.apply("Add", {s, graph.constant(tensor_of_values("", s.type, {q[2], k[2]}, mask))});
}

ASSAY_DETAIL_HEADER_INLINE void compose_attention(EagerGraph& graph, const GraphNode& node) {
  check_attention(graph, node);
  if (graph.refused()) return;
  const EagerTensor own = graph.in(node, 0), value = graph.wide(graph.in(node, 2));
  const EagerTensor s = attention_scores(graph, node);
  if (graph.refused()) return;
  EagerTensor weights = s;
  if (has_input(node, 3) || integer_of(node, "is_causal", 0) != 0) {
    // A row that sees nothing is 0, and not the mean of nothing.
    const EagerTensor lowest = graph.scalar(s.type, std::numeric_limits<float>::lowest());
    weights = graph.apply("Max", {s, lowest});
  }
  weights = graph.apply("Softmax", {weights}, {GraphAttribute("axis", std::int64_t{3})});
  if (has_input(node, 3) || integer_of(node, "is_causal", 0) != 0) {
    const double none = -std::numeric_limits<double>::infinity();
    const EagerTensor unseen = graph.apply("Equal", {s, graph.scalar(s.type, none)});
    weights = graph.apply("Where", {unseen, graph.scalar(s.type, 0), weights});
  }
  if (graph.refused()) return;
  const EagerExtents &q = s.extents, &v = value.extents;
  const EagerTensor grouped = graph.reshape(weights, {q[0], v[1], q[1] / v[1] * q[2], q[3]});
  const EagerTensor y = graph.apply("MatMul", {grouped, value});
  if (graph.refused()) return;
  graph.out(node, graph.convert(graph.reshape(y, {q[0], q[1], q[2], v[3]}), own.type));
  if (wants_output(node, 3)) graph.out(node, graph.convert(s, own.type), 3);
}

ASSAY_DETAIL_HEADER_INLINE void compose_zeros(EagerGraph& graph, const GraphNode& node) {
  GraphTensor zeros{"", TensorType::float32, graph.list(node, 0), {}, {}};
  if (graph.refused()) return;
  if (zeros.byte_size() < 0) return graph.refuse(ErrorKind::invalid, "a constant has no such extents");
  zeros.bytes.assign(static_cast<std::size_t>(zeros.byte_size()), '\0');
  graph.out(node, graph.constant(zeros));
}

ASSAY_DETAIL_HEADER_INLINE EagerWindows windows_of(EagerGraph& graph, const GraphNode& node,
                                                   const EagerExtents& window) {
  const std::size_t count = window.size();
  EagerWindows own;
  own.window = integers_of(node, "kernel_shape", window);
  own.stride = integers_of(node, "strides", EagerExtents(count, 1));
  own.dilation = integers_of(node, "dilations", EagerExtents(count, 1));
  const EagerExtents pads = integers_of(node, "pads", EagerExtents(2 * count, 0));
  own.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2));
  own.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2), pads.end());
  if (own.window.size() != count || own.stride.size() != count || own.dilation.size() != count ||
      pads.size() != 2 * count)
    graph.refuse(ErrorKind::invalid,
                 node.operation + " has windows of other than " + std::to_string(count) + " dimensions");
  return own;
}

}  // namespace assay::inline v0::detail
