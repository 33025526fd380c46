#pragma once

#include "assay/frameworks/detail/stablehlo_elementwise.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/formats/small_formats.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void lower_one(StableHloGraph& graph, const GraphNode& node) {
  static const std::map<std::string, const char*> names{
      {"Sigmoid", "logistic"}, {"Tanh", "tanh"},    {"Exp", "exponential"},
      {"Log", "log"},          {"Sqrt", "sqrt"},    {"Sin", "sine"},
      {"Cos", "cosine"},       {"Erf", "chlo.erf"}, {"Round", "round_nearest_even"},
      {"Neg", "negate"},       {"Abs", "abs"},      {"Floor", "floor"},
      {"Ceil", "ceil"}};
  graph.out(node, graph.unary(names.at(node.operation), graph.in(node, 0)));
}

ASSAY_DETAIL_HEADER_INLINE void lower_two(StableHloGraph& graph, const GraphNode& node) {
  static const std::map<std::string, const char*> names{{"Add", "add"},      {"Sub", "subtract"}, {"Mul", "multiply"},
                                                        {"Div", "divide"},   {"Max", "maximum"},  {"Min", "minimum"},
                                                        {"Mod", "remainder"}};
  graph.out(node, graph.binary(names.at(node.operation), graph.in(node, 0), graph.in(node, 1)));
}

/// In float32 where the format is narrower.
ASSAY_DETAIL_HEADER_INLINE void lower_composed(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);
  HloValue y = x;
  if (node.operation == "Gelu" && graph.text(node, "approximate", "none") == "tanh") {
    // 0.5·x·(1 + tanh u) is x·sigmoid(2·u), which does not cancel.
    const HloValue cube = graph.scaled(graph.binary("multiply", x, graph.binary("multiply", x, x)), 0.044715);
    const HloValue u = graph.scaled(graph.binary("add", x, cube), 2 * std::sqrt(2 / 3.14159265358979323846));
    y = graph.binary("multiply", x, graph.unary("logistic", u));
  } else if (node.operation == "Gelu") {
    // 1 + erf cancels below 0; its complement does not.
    const HloValue tail = graph.unary("chlo.erfc", graph.scaled(x, -std::sqrt(0.5)));
    y = graph.binary("multiply", graph.scaled(x, 0.5), tail);
  } else if (node.operation == "Softplus") {
    const HloValue tail = graph.unary("exponential", graph.unary("negate", graph.unary("abs", x)));
    y = graph.binary("add", graph.binary("maximum", x, graph.scalar(x.type, 0)), graph.unary("log_plus_one", tail));
  }
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_relu(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  graph.out(node, graph.binary("maximum", x, graph.scalar(x.type, 0)));
}
ASSAY_DETAIL_HEADER_INLINE void lower_reciprocal(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  graph.out(node, graph.binary("divide", graph.scalar(x.type, 1), x));
}
ASSAY_DETAIL_HEADER_INLINE void lower_identity(StableHloGraph& graph, const GraphNode& node) {
  graph.out(node, graph.in(node, 0));
}
ASSAY_DETAIL_HEADER_INLINE void lower_clip(StableHloGraph& graph, const GraphNode& node) {
  HloValue x = graph.in(node, 0);
  if (graph.has(node, 1)) x = graph.binary("maximum", x, graph.in(node, 1));
  if (graph.has(node, 2)) x = graph.binary("minimum", x, graph.in(node, 2));
  graph.out(node, x);
}
ASSAY_DETAIL_HEADER_INLINE void lower_where(StableHloGraph& graph, const GraphNode& node) {
  graph.out(node, graph.select(graph.in(node, 0), graph.in(node, 1), graph.in(node, 2)));
}

ASSAY_DETAIL_HEADER_INLINE void lower_cast(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  const auto to = static_cast<TensorType>(graph.integer(node, "to", 0));
  if (hlo_element(to).empty()) {
    graph.refuse("elements of " + std::string(name_of(to)) + " are not handed to compilers of StableHLO");
    return;
  }
  if (to == TensorType::boolean) {
    graph.out(node, graph.compare("NE", x, graph.scalar(x.type, 0)));
    return;
  }
  HloValue from = x;
  if (to >= TensorType::float8e4m3fn && to <= TensorType::float8e5m2fnuz && is_float(x.type) &&
      graph.integer(node, "saturate", 1) != 0) {
    const double most = element_format_of(to)->max_finite();
    from = graph.binary("minimum", graph.binary("maximum", x, graph.scalar(x.type, -most)), graph.scalar(x.type, most));
  }
  graph.out(node, graph.convert(from, to));
  const bool floats = is_float(x.type) && is_float(to), wider = bits_of(to) > bits_of(x.type);
  const bool integers = !is_float(x.type) && !is_float(to) && x.type != TensorType::boolean;
  if (wider && (floats || integers)) graph.mark_widened(node, x);
}

ASSAY_DETAIL_HEADER_INLINE HloLowering elementwise_lowering(const std::string& operation) {
  static const std::map<std::string, HloLowering> all{
      {"Sigmoid", lower_one},   {"Tanh", lower_one},    {"Exp", lower_one},           {"Log", lower_one},
      {"Sqrt", lower_one},      {"Sin", lower_one},     {"Cos", lower_one},           {"Erf", lower_one},
      {"Round", lower_one},     {"Neg", lower_one},     {"Abs", lower_one},           {"Floor", lower_one},
      {"Ceil", lower_one},      {"Add", lower_two},     {"Sub", lower_two},           {"Mul", lower_two},
      {"Div", lower_two},       {"Max", lower_two},     {"Min", lower_two},           {"Mod", lower_two},
      {"Gelu", lower_composed}, {"Relu", lower_relu},   {"Softplus", lower_composed}, {"Reciprocal", lower_reciprocal},
      {"Clip", lower_clip},     {"Where", lower_where}, {"Identity", lower_identity}, {"Cast", lower_cast}};
  const auto found = all.find(operation);
  return found != all.end() ? found->second : nullptr;
}

}  // namespace assay::inline v0::detail
