#pragma once

#include "assay/frameworks/operations/lane_graph.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/graph_builder.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const SoftmaxProblem& problem) {
  detail::GraphBuilder graph;
  const detail::GraphExtents extents{problem.outer, problem.length, problem.inner};
  const bool plain = problem.temperature == 1 && !problem.masked;
  const ElementFormat format = plain ? detail::operator_format(problem.input, problem.output)
                                     : detail::wide_format(problem.input, problem.output);
  std::string x = graph.cast(graph.input(0, problem.input, extents), problem.input, format);
  if (problem.masked) {
    if (problem.fully_masked == FullyMasked::zeros)
      graph.refuse("ONNX's Softmax gives NaN, not 0, where everything is masked");
    const std::string mask = graph.node("Cast", {graph.input(1, element_format<std::uint8_t>(), extents)},
                                        {detail::whole("to", static_cast<std::int64_t>(TensorType::boolean))});
    x = graph.node("Where", {mask, x, graph.scalar(format, -detail::double_of(binary64_layout.infinity_bits()))});
  }
  if (problem.temperature != 1) x = graph.node("Div", {x, graph.scalar(format, problem.temperature)});
  const std::string y = graph.node(problem.logarithm ? "LogSoftmax" : "Softmax", {x}, {detail::whole("axis", 1)});
  graph.output(2, graph.cast(y, format, problem.output), problem.output, extents);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const NormalizationProblem& problem) {
  using detail::fraction, detail::whole;
  detail::GraphBuilder graph;
  const detail::GraphExtents channels{problem.channels};
  const bool layer = problem.kind == NormalizationKind::layer, rms = problem.kind == NormalizationKind::rms;
  const bool batch = problem.kind == NormalizationKind::batch;
  if (!batch && (problem.lane_length() == 0 || problem.outer == 0))
    graph.refuse("ONNX leaves open what normalizing nothing is");
  detail::GraphExtents extents{problem.outer, problem.channels};
  if (!layer && !rms) extents.push_back(problem.inner);
  const ElementFormat format = problem.input == problem.output && problem.input == problem.parameters
                                   ? problem.input
                                   : detail::wide_format(problem.input, problem.output);
  const auto ones = [&](double value) {
    return graph.constant(format, channels, std::vector<double>(static_cast<std::size_t>(problem.channels), value));
  };
  const auto parameter = [&](int position) {
    return graph.cast(graph.input(position, problem.parameters, channels), problem.parameters, format);
  };
  const std::string x = graph.cast(graph.input(0, problem.input, extents), problem.input, format);
  const std::string gamma = problem.gamma ? parameter(1) : ones(1);
  const std::string beta = problem.beta ? parameter(2) : rms ? "" : ones(0);
  std::vector<GraphAttribute> attributes{fraction("epsilon", problem.epsilon)};
  const bool saved = problem.saved != SavedStatistics::none;
  if (saved && !(layer && problem.saved == SavedStatistics::inverse_deviation &&
                 problem.parameters == element_format<float32>()))
    graph.refuse("ONNX tells of no statistics but those of LayerNormalization: mean and 1/deviation, in float32");
  std::string y;
  if (layer || rms) {
    attributes.push_back(whole("axis", 1));
    if (rms) graph.needs_opset(23);
    if (saved) {
      graph.node_with("LayerNormalization", {x, gamma, beta}, {"y", "saved_mean", "saved_deviation"}, attributes);
      graph.output(6, "saved_mean", problem.parameters, {problem.outer, 1});
      graph.output(7, "saved_deviation", problem.parameters, {problem.outer, 1});
      y = "y";
    } else {
      y = rms ? graph.node("RMSNormalization", {x, gamma}, attributes)
              : graph.node("LayerNormalization", {x, gamma, beta}, attributes);
      if (rms && problem.beta) y = graph.node("Add", {y, beta});
    }
  } else if (batch) {
    y = graph.node("BatchNormalization", {x, gamma, beta, parameter(3), parameter(4)}, attributes);
  } else {
    attributes.push_back(whole("num_groups", problem.groups));
    y = graph.node("GroupNormalization", {x, gamma, beta}, attributes);
  }
  graph.output(5, graph.cast(y, format, problem.output), problem.output, extents);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const L2NormalizeProblem& problem) {
  detail::GraphBuilder graph;
  const detail::GraphExtents extents{problem.outer, problem.length, problem.inner};
  const ElementFormat format = detail::wide_format(problem.input, problem.output);
  const std::string x = graph.cast(graph.input(0, problem.input, extents), problem.input, format);
  const std::string norm = graph.node("ReduceL2", {x, graph.integers({1})}, {detail::whole("keepdims", 1)});
  const std::string y = graph.node("Div", {x, graph.node("Max", {norm, graph.scalar(format, problem.epsilon)})});
  graph.output(1, graph.cast(y, format, problem.output), problem.output, extents);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const ReductionProblem& problem) {
  using detail::whole;
  using Function = ReductionFunction;
  detail::GraphBuilder graph;
  const detail::GraphExtents extents{problem.outer, problem.length, problem.inner};
  const detail::GraphExtents reduced{problem.outer, 1, problem.inner};
  if (problem.selects()) {
    if (problem.nan_policy != NanPolicy::propagate) graph.refuse("ONNX's reductions do not ignore NaN");
    graph.open_for_nan("ONNX leaves open what its ReduceMax, ReduceMin, ArgMax and ArgMin make of NaN");
  }
  if (problem.length == 0 && (problem.function == Function::mean || problem.function == Function::variance))
    graph.refuse("ONNX leaves open what the mean of nothing is");
  if (problem.gives_index()) {
    const std::string x = graph.input(0, problem.input, extents);
    const std::string y = graph.node(
        problem.function == Function::argmax ? "ArgMax" : "ArgMin", {x},
        {whole("axis", 1), whole("keepdims", 1), whole("select_last_index", problem.ties == TiePolicy::last ? 1 : 0)});
    graph.output(1, graph.cast(y, element_format<std::int64_t>(), problem.output), problem.output, reduced);
    return graph.finish();
  }
  const ElementFormat format = problem.function == Function::variance
                                   ? detail::wide_format(problem.input, problem.output)
                               : problem.input == problem.output ? problem.input
                                                                 : detail::wide_format(problem.input, problem.output);
  const std::string x = graph.cast(graph.input(0, problem.input, extents), problem.input, format);
  const std::string axis = graph.integers({1});
  std::string y;
  const auto reduce = [&](const char* name, const std::string& of) {
    return graph.node(name, {of, axis}, {whole("keepdims", 1)});
  };
  switch (problem.function) {
    case Function::sum: y = reduce("ReduceSum", x); break;
    case Function::mean: y = reduce("ReduceMean", x); break;
    case Function::product: y = reduce("ReduceProd", x); break;
    case Function::maximum: y = reduce("ReduceMax", x); break;
    case Function::minimum: y = reduce("ReduceMin", x); break;
    case Function::l2_norm: y = reduce("ReduceL2", x); break;
    case Function::prefix_sum:
      y = graph.node("CumSum", {x, graph.scalar(element_format<std::int64_t>(), 1)},
                     {whole("exclusive", problem.exclusive ? 1 : 0)});
      break;
    case Function::variance: {
      const std::string centered = graph.node("Sub", {x, reduce("ReduceMean", x)});
      const std::string squares = reduce("ReduceSumSquare", centered);
      y = graph.node("Div", {squares, graph.scalar(format, static_cast<double>(problem.length - problem.correction))});
      break;
    }
    default: graph.refuse("ONNX has no such reduction");
  }
  graph.output(1, graph.cast(y, format, problem.output), problem.output, problem.is_scan() ? extents : reduced);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const SortProblem& problem) {
  using detail::whole;
  detail::GraphBuilder graph;
  const detail::GraphExtents taken{problem.outer, problem.wanted(), problem.inner};
  graph.open_for_nan("ONNX leaves open where its TopK puts NaN");
  const std::string x = graph.input(0, problem.format, {problem.outer, problem.length, problem.inner});
  graph.node_with(
      "TopK", {x, graph.integers({problem.wanted()})}, {"values", "places"},
      {whole("axis", 1), whole("largest", problem.descending ? 1 : 0), whole("sorted", problem.ordered ? 1 : 0)});
  graph.output(1, "values", problem.format, taken);
  graph.output(2, graph.cast("places", element_format<std::int64_t>(), problem.index_format), problem.index_format,
               taken);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const CrossEntropyProblem& problem) {
  detail::GraphBuilder graph;
  if (problem.backward)
    return failure(ErrorKind::unsupported, "ONNX has no operator for the gradient of cross entropy");
  if (problem.smoothing != 0) graph.refuse("ONNX's SoftmaxCrossEntropyLoss has no smoothing");
  const ElementFormat format = detail::operator_format(problem.logits, problem.loss);
  const std::string x =
      graph.cast(graph.input(0, problem.logits, {problem.rows, problem.classes}), problem.logits, format);
  const std::string labels = graph.input(1, problem.labels, {problem.rows});
  const bool mean = problem.reduction == LossReduction::mean;
  const std::string y = graph.node("SoftmaxCrossEntropyLoss", {x, labels},
                                   {detail::whole("ignore_index", problem.ignored_label),
                                    GraphAttribute("reduction", std::string(mean ? "mean" : "none"))});
  graph.output(3, graph.cast(y, format, problem.loss), problem.loss,
               mean ? detail::GraphExtents{} : detail::GraphExtents{problem.rows});
  return graph.finish();
}

}  // namespace assay::inline v0
