#pragma once

#include "assay/frameworks/detail/tensorflow_products.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void tensorflow_matmul(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor a = graph.in(node, 0), b = graph.in(node, 1);
  if (node.operation == "MatMulInteger") {
    if (has_input(node, 2) || has_input(node, 3)) return graph.refuse("zero points of MatMulInteger are not mapped");
    return graph.out(node, graph.compute("BatchMatMulV3", {a, b}, {{"Tout", TensorType::int32}}));
  }
  graph.out(node, graph.compute(a.rank() == 2 && b.rank() == 2 ? "MatMul" : "BatchMatMulV2", {a, b}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_gemm(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor a = graph.in(node, 0);
  const double alpha = real_of(node, "alpha", 1), beta = has_input(node, 2) ? real_of(node, "beta", 1) : 0;
  if ((alpha != 1 || beta != 0) && is_float(a.type) && bits_of(a.type) < 32)
    return graph.refuse("TensorFlow's MatMul has no alpha and beta, and its sums in 16 bits would be rounded twice");
  EagerTensor y = graph.compute(
      "MatMul", {a, graph.in(node, 1)},
      {{"transpose_a", integer_of(node, "transA", 0) != 0}, {"transpose_b", integer_of(node, "transB", 0) != 0}});
  if (alpha != 1) y = graph.scaled(y, alpha);
  if (beta != 0) {
    const EagerTensor c = graph.in(node, 2);
    y = graph.compute("AddV2", {y, beta != 1 ? graph.scaled(c, beta) : c});
  }
  graph.out(node, y);
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator tensorflow_products(const std::string& operation) {
  static const EagerTable all{{"MatMul", {tensorflow_mapping<tensorflow_matmul>}},
                              {"MatMulInteger", {tensorflow_mapping<tensorflow_matmul>}},
                              {"Gemm", {tensorflow_mapping<tensorflow_gemm>, "alpha beta transA transB"}},
                              {"RotaryEmbedding", {compose_rotary, "interleaved rotary_embedding_dim num_heads"}},
                              {"Attention", {compose_attention, "is_causal scale softcap qk_matmul_output_mode"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
