#pragma once

#include "assay/frameworks/operations/product_graph.hpp"

#include <cmath>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/graph_builder.hpp"
#include "assay/kernels/linear/operands.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> gemm_graph(const GemmProblem& problem, const ElementFormat& a,
                                                             const ElementFormat& b, const ElementFormat& accumulator,
                                                             const ElementFormat& c) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  const bool scaled = problem.alpha != 1 || problem.beta != 0;
  const ElementFormat format = a == b && a == c ? a : accumulator;
  if (a == c && accumulator.bytes < 4) graph.refuse("ONNX does not say that sums are kept in 16 bits");
  const bool column = problem.order == StorageOrder::column_major;
  const bool one = problem.batch == 1;
  const bool swap_a = one && problem.transpose_a != column, swap_b = one && problem.transpose_b != column;
  const auto matrix = [&](int position, const ElementFormat& own, Index rows, Index columns, bool swapped) {
    GraphExtents extents = swapped ? GraphExtents{columns, rows} : GraphExtents{rows, columns};
    if (!one) extents.insert(extents.begin(), problem.batch);
    return graph.cast(graph.input(position, own, extents, swapped), own, format);
  };
  const std::string left = matrix(0, a, problem.m, problem.k, swap_a),
                    right = matrix(1, b, problem.k, problem.n, swap_b);
  std::string y;
  if (!one || (!scaled && !swap_a && !swap_b)) {
    if (scaled) graph.refuse("ONNX's MatMul has no alpha and beta, and its Gemm no batches");
    y = graph.node("MatMul", {left, right});
  } else {
    std::vector<std::string> inputs{left, right};
    if (problem.beta != 0) inputs.push_back(matrix(2, c, problem.m, problem.n, false));
    y = graph.node("Gemm", inputs,
                   {detail::fraction("alpha", problem.alpha), detail::fraction("beta", problem.beta),
                    whole("transA", swap_a ? 1 : 0), whole("transB", swap_b ? 1 : 0)});
  }
  GraphExtents extents{problem.m, problem.n};
  if (!one) extents.insert(extents.begin(), problem.batch);
  graph.output(2, graph.cast(y, format, c), c, extents);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const RotaryEmbeddingProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  graph.needs_opset(23);
  if (problem.given_positions)
    graph.refuse("positions that are an operand need tables of sines of a length that is not known");
  if (problem.rotary_dimension == 0)
    graph.refuse("ONNX's RotaryEmbedding takes a rotary dimension of 0 for all of them");
  const ElementFormat format = detail::wide_format(problem.input, problem.output);
  const GraphExtents extents{problem.batch, problem.sequence, problem.heads, problem.dimension};
  const Index pairs = problem.rotary_dimension / 2;
  std::vector<double> cosines, sines;
  for (Index position = 0; position < problem.sequence; ++position)
    for (Index pair = 0; pair < pairs; ++pair) {
      const double frequency =
          std::pow(problem.base, -2.0 * static_cast<double>(pair) / static_cast<double>(problem.rotary_dimension));
      const double angle = static_cast<double>(problem.offset + position) * problem.position_scale * frequency;
      cosines.push_back(std::cos(angle));
      sines.push_back((problem.inverse ? -1 : 1) * std::sin(angle));
    }
  const std::string x = graph.cast(graph.input(0, problem.input, extents), problem.input, format);
  const std::string planar = graph.node("Transpose", {x}, {GraphAttribute("perm", GraphExtents{0, 2, 1, 3})});
  std::vector<double> all_cosines, all_sines;
  for (Index image = 0; image < problem.batch; ++image) {
    all_cosines.insert(all_cosines.end(), cosines.begin(), cosines.end());
    all_sines.insert(all_sines.end(), sines.begin(), sines.end());
  }
  const GraphExtents table{problem.batch, problem.sequence, pairs};
  const std::string turned = graph.node(
      "RotaryEmbedding", {planar, graph.constant(format, table, all_cosines), graph.constant(format, table, all_sines)},
      {whole("interleaved", problem.layout == RotaryLayout::interleaved ? 1 : 0),
       whole("rotary_embedding_dim", problem.rotary_dimension == problem.dimension ? 0 : problem.rotary_dimension),
       whole("num_heads", problem.heads)});
  const std::string y = graph.node("Transpose", {turned}, {GraphAttribute("perm", GraphExtents{0, 2, 1, 3})});
  graph.output(2, graph.cast(y, format, problem.output), problem.output, extents);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const AttentionProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  graph.needs_opset(23);
  const bool partial = problem.window_left >= 0 || problem.window_right >= 0 || problem.alibi ||
                       problem.storage != AttentionStorage::dense || !problem.key_lengths.empty() ||
                       problem.key_value_scale != KeyValueScale::none;
  if (partial) graph.refuse("ONNX's Attention has no windows, slopes, packed or paged sequences, lengths or scales");
  if (problem.causal && problem.alignment != AttentionAlignment::top_left && problem.queries != problem.keys)
    graph.refuse("ONNX's Attention aligns causal masks at the first query");
  const ElementFormat f32 = element_format<float32>();
  if (problem.causal || problem.additive_mask != AdditiveMask::none)
    graph.open_for_special(
        "ONNX adds masks to scores, so what is masked and not finite counts, as in no other Attention");
  if (problem.fully_masked != FullyMasked::zeros)
    graph.refuse("ONNX's Attention gives 0, not NaN, where a row sees nothing");
  // The logarithms of sums are found from scores: these are as accurate as is asked only in what scores are kept in.
  const ElementFormat format =
      problem.query == problem.key_value && problem.query == problem.output ? problem.scores : f32;
  const auto tensor = [&](int position, const ElementFormat& own, const GraphExtents& extents) {
    return graph.cast(graph.input(position, own, extents), own, format);
  };
  const std::string query = tensor(0, problem.query, {problem.batch, problem.heads, problem.queries, problem.depth});
  const std::string key = tensor(1, problem.key_value, {problem.batch, problem.key_heads, problem.keys, problem.depth});
  const std::string value =
      tensor(2, problem.key_value, {problem.batch, problem.key_heads, problem.keys, problem.value_depth});
  std::string mask;
  if (problem.additive_mask == AdditiveMask::shared) mask = tensor(3, problem.query, {problem.queries, problem.keys});
  if (problem.additive_mask == AdditiveMask::per_head)
    mask = tensor(3, problem.query, {problem.batch, problem.heads, problem.queries, problem.keys});
  std::vector<std::string> inputs{query, key, value};
  if (!mask.empty()) inputs.push_back(mask);
  const double scale = problem.scale != 0 ? problem.scale : 1 / std::sqrt(static_cast<double>(problem.depth));
  // The logarithm of the sum is found from the operator's scores, after cap and mask.
  graph.node_with("Attention", inputs, {"y", "", "", "scores"},
                  {whole("is_causal", problem.causal ? 1 : 0), detail::fraction("scale", scale),
                   detail::fraction("softcap", problem.soft_cap), whole("qk_matmul_output_mode", 2)});
  const GraphExtents rows{problem.batch, problem.heads, problem.queries};
  const std::string sums =
      graph.node("ReduceLogSumExp", {graph.cast("scores", format, f32), graph.integers({3})}, {whole("keepdims", 0)});
  graph.output(10, graph.cast("y", format, problem.output), problem.output,
               {problem.batch, problem.heads, problem.queries, problem.value_depth});
  graph.output(11, sums, f32, rows);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const LinearProblem& problem) {
  using detail::GraphExtents, detail::whole;
  using Operand = LinearOperands;
  detail::GraphBuilder graph;
  const auto dense = [](const LinearMatrix& matrix) { return matrix.storage == LinearStorage::dense; };
  if (!dense(problem.a) || !dense(problem.b) || problem.groups > 0)
    return failure(ErrorKind::unsupported, "block-scaled, sparse and grouped products are not expressed");
  if (problem.output_scaled) return failure(ErrorKind::unsupported, "quantized outputs are not expressed");
  const ElementFormat f32 = element_format<float32>(), i32 = element_format<std::int32_t>();
  const auto numbers = [](LinearGranularity granularity, Index count) {
    return granularity == LinearGranularity::tensor ? Index{1} : count;
  };
  const Index columns = problem.columns_of_b();
  const std::string a = graph.input(Operand::a, problem.a.format, {problem.m, problem.k});
  std::string b =
      graph.input(Operand::b, problem.b.format,
                  problem.transpose_b ? GraphExtents{columns, problem.k} : GraphExtents{problem.k, columns});
  if (problem.transpose_b) b = graph.node("Transpose", {b}, {GraphAttribute("perm", GraphExtents{1, 0})});
  // Sums of codes less their zero points are exact where they are integers; scales come after them.
  ElementFormat format = problem.is_integer() ? i32 : f32;
  const auto shape = [&](LinearGranularity granularity, Index count, bool rows) {
    const Index own = numbers(granularity, count);
    return rows ? GraphExtents{own, 1} : GraphExtents{1, own};
  };
  const auto prepared = [&](const LinearMatrix& matrix, std::string x, int zero_points, Index count, bool rows) {
    x = graph.cast(x, matrix.format, format);
    if (matrix.zero_points == LinearGranularity::none) return x;
    const std::string zero = graph.input(zero_points, i32, shape(matrix.zero_points, count, rows));
    return graph.node("Sub", {x, graph.cast(zero, i32, format)});
  };
  const bool offset =
      problem.a.zero_points != LinearGranularity::none || problem.b.zero_points != LinearGranularity::none;
  const bool same = problem.a.format == problem.b.format && problem.a.format == problem.output &&
                    !problem.is_integer() && !problem.has_epilogue() && !offset;
  std::string y;
  if (same || (problem.is_integer() && !offset)) {
    y = graph.node(same ? "MatMul" : "MatMulInteger", {a, b});
    if (same) format = problem.output;
  } else {
    y = graph.node("MatMul", {prepared(problem.a, a, Operand::a_zero_points, problem.m, true),
                              prepared(problem.b, b, Operand::b_zero_points, columns, false)});
  }
  const auto scale = [&](const LinearMatrix& matrix, int position, Index count, bool rows) {
    if (matrix.scales == LinearGranularity::none) return;
    y = graph.node("Mul", {graph.cast(y, format, f32), graph.input(position, f32, shape(matrix.scales, count, rows))});
    format = f32;
  };
  scale(problem.a, Operand::a_scales, problem.m, true);
  scale(problem.b, Operand::b_scales, columns, false);
  const bool epilogue = problem.bias || problem.residual || problem.activation != LinearActivation::none;
  if (epilogue) {
    y = graph.cast(y, format, f32);
    format = f32;
  }
  if (problem.bias) {
    const ElementFormat own = problem.epilogue_format();
    y = graph.node("Add", {y, graph.cast(graph.input(Operand::bias, own, {columns}), own, f32)});
  }
  switch (problem.activation) {
    case LinearActivation::none: break;
    case LinearActivation::relu: y = graph.node("Relu", {y}); break;
    case LinearActivation::gelu: y = graph.node("Gelu", {y}); break;
    case LinearActivation::gelu_tanh:
      y = graph.node("Gelu", {y}, {GraphAttribute("approximate", std::string("tanh"))});
      break;
    case LinearActivation::silu: y = graph.node("Mul", {y, graph.node("Sigmoid", {y})}); break;
    case LinearActivation::swiglu: graph.refuse("a gated product is not expressed"); break;
  }
  if (problem.residual) {
    const ElementFormat own = problem.epilogue_format();
    y = graph.node("Add", {y, graph.cast(graph.input(Operand::residual, own, {problem.m, problem.n}), own, f32)});
  }
  if (!problem.output.is_float() && !(problem.output == format))
    graph.refuse("sums that are converted to another integer format are not expressed");
  graph.output(Operand::output, graph.cast(y, format, problem.output), problem.output, {problem.m, problem.n});
  return graph.finish();
}

}  // namespace assay::inline v0
