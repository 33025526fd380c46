#pragma once

#include "assay/frameworks/detail/torch_products.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void torch_matmul(TorchGraph& graph, const GraphNode& node) {
  EagerTensor a = graph.in(node, 0), b = graph.in(node, 1);
  if (node.operation == "MatMulInteger") {
    if (has_input(node, 2) || has_input(node, 3)) return graph.refuse("zero points of MatMulInteger are not mapped");
    if (a.type == TensorType::int8 && b.type == TensorType::int8 && a.rank() == 2 && b.rank() == 2)
      return graph.out(node, graph.compute("aten::_int_mm", {a, b}));
    a = graph.convert(a, TensorType::int32);
    b = graph.convert(b, TensorType::int32);
  }
  graph.out(node, graph.compute("aten::matmul", {a, b}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_gemm(TorchGraph& graph, const GraphNode& node) {
  const auto factor = [&](std::size_t input, const char* turned) {
    const EagerTensor x = graph.in(node, input);
    return integer_of(node, turned, 0) != 0 ? graph.compute("aten::t", {x}) : x;
  };
  const EagerTensor a = factor(0, "transA"), b = factor(1, "transB");
  const double alpha = real_of(node, "alpha", 1);
  if (!has_input(node, 2) && alpha == 1) return graph.out(node, graph.compute("aten::mm", {a, b}));
  const EagerTensor c = has_input(node, 2) ? graph.in(node, 2) : graph.scalar(a.type, 0);
  graph.out(node, graph.add_product(c, a, b, alpha, has_input(node, 2) ? real_of(node, "beta", 1) : 0));
}

/// PyTorch's own attention where it can say the node's, which it can where scores are not capped.
ASSAY_DETAIL_HEADER_INLINE void torch_attention(TorchGraph& graph, const GraphNode& node) {
  check_attention(graph, node);
  const bool causal = integer_of(node, "is_causal", 0) != 0;
  if (graph.refused()) return;
  if (real_of(node, "softcap", 0) != 0 || (causal && has_input(node, 3))) return compose_attention(graph, node);
  const EagerTensor query = graph.in(node, 0), key = graph.in(node, 1), value = graph.in(node, 2);
  const bool shared = query.extents[1] != key.extents[1];
  const TorchArgument mask = has_input(node, 3) ? maybe(graph.in(node, 3)) : TorchArgument();
  graph.out(node, graph.compute(
                      "aten::scaled_dot_product_attention",
                      {query, key, value, mask, 0.0, causal, maybe(attention_scale(node, query.extents[3])), shared}));
  if (wants_output(node, 3)) graph.out(node, graph.convert(attention_scores(graph, node), query.type), 3);
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator torch_products(const std::string& operation) {
  static const EagerTable all{
      {"MatMul", {torch_mapping<torch_matmul>}},
      {"MatMulInteger", {torch_mapping<torch_matmul>}},
      {"Gemm", {torch_mapping<torch_gemm>, "alpha beta transA transB"}},
      {"RotaryEmbedding", {compose_rotary, "interleaved rotary_embedding_dim num_heads"}},
      {"Attention", {torch_mapping<torch_attention>, "is_causal scale softcap qk_matmul_output_mode"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
