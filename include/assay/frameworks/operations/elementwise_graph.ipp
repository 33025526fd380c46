#pragma once

#include "assay/frameworks/operations/elementwise_graph.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/graph_builder.hpp"

namespace assay::inline v0 {

namespace detail {

/// ONNX's operator of a function that it has by itself; null of those that take several.
[[nodiscard]] inline const char* single_operator_of(ElementwiseFunction function) {
  switch (function) {
    case ElementwiseFunction::relu: return "Relu";
    case ElementwiseFunction::gelu:
    case ElementwiseFunction::gelu_tanh: return "Gelu";
    case ElementwiseFunction::sigmoid: return "Sigmoid";
    case ElementwiseFunction::tanh: return "Tanh";
    case ElementwiseFunction::softplus: return "Softplus";
    case ElementwiseFunction::exp: return "Exp";
    case ElementwiseFunction::log: return "Log";
    case ElementwiseFunction::sqrt: return "Sqrt";
    case ElementwiseFunction::sin: return "Sin";
    case ElementwiseFunction::cos: return "Cos";
    case ElementwiseFunction::erf: return "Erf";
    case ElementwiseFunction::add: return "Add";
    case ElementwiseFunction::subtract: return "Sub";
    case ElementwiseFunction::multiply: return "Mul";
    case ElementwiseFunction::divide: return "Div";
    case ElementwiseFunction::maximum: return "Max";
    case ElementwiseFunction::minimum: return "Min";
    default: return nullptr;
  }
}

[[nodiscard]] inline std::string cast_graph(GraphBuilder& graph, const ElementwiseProblem& problem, std::string x) {
  const ElementFormat &from = problem.input, &to = problem.output;
  if (problem.rounding != Rounding::nearest_even && !(problem.rounding == Rounding::toward_zero && !to.is_float()))
    graph.refuse("ONNX's Cast rounds to the nearest, ties to even, and to integers toward zero");
  if (!to.is_float()) {
    if (!from.is_float()) graph.refuse("ONNX's Cast between integers leaves open what is out of range");
    graph.open_for_nan("ONNX's Cast leaves open what integer NaN becomes");
    if (to.wide_integer || to.integers.bits > 16)
      graph.refuse("the ends of that integer format are not exact in the format in which ONNX would clip");
    if (problem.rounding == Rounding::nearest_even) x = graph.node("Round", {x});
    x = graph.node("Clip", {x, graph.scalar(from, static_cast<double>(to.integers.lowest())),
                            graph.scalar(from, static_cast<double>(to.integers.highest()))});
    return graph.cast(x, from, to);
  }
  const bool narrow = to.bytes == 1 && to.layout.bits() == 8;
  if (narrow && to.layout.has_infinity())
    graph.open_for_nan(
        "ONNX leaves open which of its codes of NaN an 8-bit float gets, and checks take one for unwritten");
  if (problem.saturating && !narrow) graph.refuse("ONNX's Cast saturates to 8-bit floats only");
  if (from == to) return x;
  const auto type = tensor_type_of(to);
  if (!type) {
    graph.refuse(type.error().message);
    return x;
  }
  std::vector<GraphAttribute> attributes{whole("to", static_cast<std::int64_t>(type.value()))};
  if (narrow) attributes.push_back(whole("saturate", problem.saturating ? 1 : 0));
  return graph.node("Cast", {x}, attributes);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const ElementwiseProblem& problem) {
  using detail::fraction;
  using Function = ElementwiseFunction;
  detail::GraphBuilder graph;
  if (problem.backward) return failure(ErrorKind::unsupported, "ONNX has no operators for gradients of activations");
  const bool selects = problem.function == Function::relu || problem.function == Function::maximum ||
                       problem.function == Function::minimum;
  if (selects && problem.nan_policy != NanPolicy::propagate) graph.refuse("ONNX's Relu, Max and Min do not ignore NaN");
  const detail::GraphExtents extents(problem.extents, problem.extents + problem.rank);
  const auto operand = [&](int i) {
    const std::vector<Index> own = problem.extents_of(i);
    return graph.input(i, i == 0 ? problem.input : problem.second, {own.begin(), own.end()});
  };
  std::string x = operand(0), y;
  if (problem.function == Function::cast) {
    y = detail::cast_graph(graph, problem, x);
    graph.output(3, y, problem.output, extents);
    return graph.finish();
  }
  std::vector<std::string> inputs{x};
  for (int i = 1; i < problem.inputs(); ++i) inputs.push_back(operand(i));
  const ElementFormat second = problem.inputs() > 1 ? problem.second : problem.input;
  const char* const name = detail::single_operator_of(problem.function);
  ElementFormat format = detail::operator_format(problem.input, problem.output);
  if (!(second == format)) format = detail::wide_format(problem.input, detail::wide_format(second, problem.output));
  if (name == nullptr) format = detail::wide_format(format, format);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    inputs[i] = graph.cast(inputs[i], i == 0 ? problem.input : second, format);
  if (name != nullptr) {
    std::vector<GraphAttribute> attributes;
    if (problem.function == Function::gelu_tanh) attributes.emplace_back("approximate", std::string("tanh"));
    y = graph.node(name, inputs, attributes);
  } else {
    switch (problem.function) {
      case Function::silu: y = graph.node("Mul", {inputs[0], graph.node("Sigmoid", {inputs[0]})}); break;
      case Function::rsqrt: y = graph.node("Reciprocal", {graph.node("Sqrt", {inputs[0]})}); break;
      case Function::scale_shift:
        y = graph.node(
            "Add", {graph.node("Mul", {inputs[0], graph.scalar(format, problem.a)}), graph.scalar(format, problem.b)});
        break;
      case Function::multiply_add: y = graph.node("Add", {graph.node("Mul", {inputs[0], inputs[1]}), inputs[2]}); break;
      default: graph.refuse("ONNX has no operator for " + std::string(name_of(problem.function)));
    }
  }
  graph.output(3, graph.cast(y, format, problem.output), problem.output, extents);
  return graph.finish();
}

}  // namespace assay::inline v0
