#pragma once

#include "assay/frameworks/detail/stablehlo_products.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE HloValue hlo_dot(StableHloGraph& graph, const HloValue& a, const HloValue& b,
                                            const HloExtents& batch, std::int64_t contract_a, std::int64_t contract_b,
                                            TensorType type) {
  HloExtents extents;
  for (const std::int64_t d : batch) extents.push_back(a.extents.at(static_cast<std::size_t>(d)));
  const auto append = [&](const HloValue& x, std::int64_t contracted) {
    for (std::int64_t d = 0; d < x.rank(); ++d)
      if (d != contracted && std::find(batch.begin(), batch.end(), d) == batch.end())
        extents.push_back(x.extents[static_cast<std::size_t>(d)]);
  };
  append(a, contract_a);
  append(b, contract_b);
  if (a.extents.at(static_cast<std::size_t>(contract_a)) != b.extents.at(static_cast<std::size_t>(contract_b)))
    graph.refuse(ErrorKind::invalid, "factors of a product do not fit: " + hlo_type(a) + " and " + hlo_type(b));
  const std::string batches =
      batch.empty() ? "" : "batching_dims = [" + hlo_list(batch) + "] x [" + hlo_list(batch) + "], ";
  const std::string precision = graph.highest_precision() ? ", precision = [HIGHEST, HIGHEST]" : "";
  return graph.emit("stablehlo.dot_general " + a.name + ", " + b.name + ", " + batches + "contracting_dims = [" +
                        std::to_string(contract_a) + "] x [" + std::to_string(contract_b) + "]" + precision + " : (" +
                        hlo_type(a) + ", " + hlo_type(b) + ") -> " + hlo_type(type, extents),
                    type, extents);
}

/// Factors as they were before they were widened, where both have one type.
struct HloFactors {
  HloValue a, b;
};
[[nodiscard]] inline HloFactors hlo_factors(StableHloGraph& graph, const GraphNode& node) {
  const HloValue a = graph.unwidened(node, 0), b = graph.unwidened(node, 1);
  if (a.type == b.type) return {a, b};
  return {graph.in(node, 0), graph.in(node, 1)};
}

ASSAY_DETAIL_HEADER_INLINE void lower_matmul(StableHloGraph& graph, const GraphNode& node) {
  TensorType type = TensorType::int32;
  HloFactors factors;
  if (node.operation == "MatMulInteger") {
    factors = {graph.in(node, 0), graph.in(node, 1)};
    if (factors.a.type != factors.b.type) factors = {graph.convert(factors.a, type), graph.convert(factors.b, type)};
    if (graph.has(node, 2) || graph.has(node, 3)) return graph.refuse("zero points of MatMulInteger are not expressed");
  } else {
    type = graph.in(node, 0).type;
    factors = hlo_factors(graph, node);
  }
  HloExtents batch;
  for (std::int64_t d = 0; d + 2 < factors.a.rank(); ++d) batch.push_back(d);
  if (factors.a.rank() != factors.b.rank() || factors.a.rank() < 2)
    return graph.refuse("products of tensors of different ranks are not expressed");
  const std::int64_t rank = factors.a.rank();
  graph.out(node, hlo_dot(graph, factors.a, factors.b, batch, rank - 1, rank - 2, type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_gemm(StableHloGraph& graph, const GraphNode& node) {
  const TensorType type = graph.in(node, 0).type;
  const HloFactors factors = hlo_factors(graph, node);
  const bool narrow = is_float(type) && bits_of(type) < 32;
  const TensorType sums = narrow ? TensorType::float32 : type;
  HloValue y = hlo_dot(graph, factors.a, factors.b, {}, graph.integer(node, "transA", 0) != 0 ? 0 : 1,
                       graph.integer(node, "transB", 0) != 0 ? 1 : 0, sums);
  if (const double alpha = graph.real(node, "alpha", 1); alpha != 1) y = graph.scaled(y, alpha);
  if (graph.has(node, 2)) {
    HloValue c = graph.convert(graph.in(node, 2), sums);
    if (const double beta = graph.real(node, "beta", 1); beta != 1) c = graph.scaled(c, beta);
    y = graph.binary("add", y, c);
  }
  graph.out(node, graph.convert(y, type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_rotary(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);  // images, heads, positions, elements
  if (x.rank() != 4) return graph.refuse("rotations of tensors without heads are not expressed");
  const std::int64_t depth = x.extents[3];
  std::int64_t turned = graph.integer(node, "rotary_embedding_dim", 0);
  if (turned == 0) turned = depth;
  const std::int64_t pairs = turned / 2;
  const auto table = [&](std::size_t input) {
    const HloValue all = graph.wide(graph.in(node, input));
    return graph.reshape(all, {all.extents.at(0), 1, all.extents.at(1), all.extents.at(2)});
  };
  const HloValue cosine = table(1), sine = table(2);
  const bool interleaved = graph.integer(node, "interleaved", 0) != 0;
  const HloValue a = interleaved ? graph.slice(x, 3, 0, turned - 1, 2) : graph.slice(x, 3, 0, pairs);
  const HloValue b = interleaved ? graph.slice(x, 3, 1, turned, 2) : graph.slice(x, 3, pairs, turned);
  const HloValue real =
      graph.binary("subtract", graph.binary("multiply", a, cosine), graph.binary("multiply", b, sine));
  const HloValue imaginary =
      graph.binary("add", graph.binary("multiply", a, sine), graph.binary("multiply", b, cosine));
  HloValue y;
  if (interleaved) {
    const HloExtents single{x.extents[0], x.extents[1], x.extents[2], pairs, 1};
    y = graph.concatenate({graph.reshape(real, single), graph.reshape(imaginary, single)}, 4);
    y = graph.reshape(y, {x.extents[0], x.extents[1], x.extents[2], turned});
  } else {
    y = graph.concatenate({real, imaginary}, 3);
  }
  if (turned < depth) y = graph.concatenate({y, graph.slice(x, 3, turned, depth)}, 3);
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_attention(StableHloGraph& graph, const GraphNode& node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const HloValue query = graph.in(node, 0), key = graph.in(node, 1), value = graph.in(node, 2);
  if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4 || key.extents[1] == 0 ||
      query.extents[1] % key.extents[1] != 0)
    return graph.refuse("attention of tensors without heads is not expressed");
  const TensorType wide = query.type == TensorType::float64 ? query.type : TensorType::float32;
  const HloExtents& q = query.extents;
  const std::int64_t keys = key.extents[2], groups = q[1] / key.extents[1];
  const HloExtents grouped{q[0], key.extents[1], groups * q[2], q[3]}, scores{q[0], q[1], q[2], keys};
  HloValue s = hlo_dot(graph, graph.reshape(query, grouped), key, {0, 1}, 3, 3, wide);
  s = graph.scaled(graph.reshape(s, scores), graph.real(node, "scale", 1));
  if (const double cap = graph.real(node, "softcap", 0); cap != 0)
    s = graph.scaled(graph.unary("tanh", graph.scaled(s, 1 / cap)), cap);
  if (graph.has(node, 3)) s = graph.binary("add", s, graph.convert(graph.in(node, 3), wide));
  if (graph.integer(node, "is_causal", 0) != 0) {
    const HloValue row = graph.iota(TensorType::int64, {q[2], keys}, 0),
                   column = graph.iota(TensorType::int64, {q[2], keys}, 1);
    s = graph.select(graph.compare("LE", column, row), s, graph.scalar(wide, -infinity));
  }
  const HloValue most = graph.reduce("maximum", s, -infinity, {3});
  const HloValue none = graph.compare("EQ", most, graph.scalar(wide, -infinity));
  const HloValue from = graph.select(none, graph.scalar(wide, 0), most);
  const HloValue exponentials = graph.unary("exponential", graph.binary("subtract", s, from));
  const HloValue sum = graph.reduce("add", exponentials, 0, {3});
  const HloExtents weights{q[0], key.extents[1], groups * q[2], keys};
  HloValue y = hlo_dot(graph, graph.reshape(exponentials, weights), graph.convert(value, wide), {0, 1}, 3, 2, wide);
  y = graph.reshape(y, {q[0], q[1], q[2], value.extents[3]});
  y = graph.binary("divide", y, graph.select(none, graph.scalar(wide, 1), sum));
  graph.out(node, graph.convert(y, query.type), 0);
  if (graph.wants(node, 3)) graph.out(node, graph.convert(s, query.type), 3);
}

ASSAY_DETAIL_HEADER_INLINE HloLowering product_lowering(const std::string& operation) {
  static const std::map<std::string, HloLowering> all{{"MatMul", lower_matmul},
                                                      {"MatMulInteger", lower_matmul},
                                                      {"Gemm", lower_gemm},
                                                      {"RotaryEmbedding", lower_rotary},
                                                      {"Attention", lower_attention}};
  const auto found = all.find(operation);
  return found != all.end() ? found->second : nullptr;
}

}  // namespace assay::inline v0::detail
