#pragma once

#include "assay/frameworks/detail/tensorflow_elementwise.hpp"

#include <cmath>
#include <map>

#include "assay/core/config.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void tensorflow_one(TensorFlowGraph& graph, const GraphNode& node) {
  // TensorFlow's names of these are ONNX's.
  graph.out(node, graph.compute(node.operation.c_str(), {graph.in(node, 0)}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_two(TensorFlowGraph& graph, const GraphNode& node) {
  static const std::map<std::string, const char*> names{{"Add", "AddV2"},   {"Sub", "Sub"},         {"Mul", "Mul"},
                                                        {"Max", "Maximum"}, {"Min", "Minimum"},     {"Mod", "FloorMod"},
                                                        {"Equal", "Equal"}, {"Greater", "Greater"}, {"Less", "Less"}};
  const EagerTensor a = graph.in(node, 0), b = graph.in(node, 1);
  if (node.inputs.size() != 2) return graph.refuse(node.operation + " of other than two tensors is not mapped");
  if (node.operation == "Div")
    return graph.out(node, graph.compute(is_float(a.type) ? "RealDiv" : "TruncateDiv", {a, b}));
  graph.out(node, graph.compute(names.at(node.operation), {a, b}));
}

/// TensorFlow's functions for it are compositions in Python; this one does not cancel below 0, as 1 + erf does.
ASSAY_DETAIL_HEADER_INLINE void tensorflow_gelu(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor own = graph.in(node, 0), x = graph.wide(own);
  EagerTensor y;
  if (text_of(node, "approximate", "none") == "tanh") {
    // 0.5·x·(1 + tanh u) is x·sigmoid(2·u).
    const EagerTensor cube = graph.scaled(graph.compute("Mul", {x, graph.compute("Square", {x})}), 0.044715);
    const EagerTensor u = graph.scaled(graph.compute("AddV2", {x, cube}), 2 * std::sqrt(2 / 3.14159265358979323846));
    y = graph.compute("Mul", {x, graph.compute("Sigmoid", {u})});
  } else {
    const EagerTensor tail = graph.compute("Erfc", {graph.scaled(x, -std::sqrt(0.5))});
    y = graph.compute("Mul", {graph.scaled(x, 0.5), tail});
  }
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_clip(TensorFlowGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  if (has_input(node, 1)) x = graph.compute("Maximum", {x, graph.in(node, 1)});
  if (has_input(node, 2)) x = graph.compute("Minimum", {x, graph.in(node, 2)});
  graph.out(node, x);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_where(TensorFlowGraph& graph, const GraphNode& node) {
  graph.out(node, graph.compute("SelectV2", {graph.in(node, 0), graph.in(node, 1), graph.in(node, 2)}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_cast(TensorFlowGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  const auto to = static_cast<TensorType>(integer_of(node, "to", 0));
  if (tf::to_tensorflow(to) == 0)
    return graph.refuse("elements of " + std::string(name_of(to)) + " are not handed to TensorFlow");
  if (to >= TensorType::float8e4m3fn && to <= TensorType::float8e5m2fnuz && is_float(x.type) &&
      integer_of(node, "saturate", 1) != 0) {
    const double most = element_format_of(to)->max_finite();
    x = graph.compute("Maximum", {x, graph.scalar(x.type, -most)});
    x = graph.compute("Minimum", {x, graph.scalar(x.type, most)});
  }
  graph.out(node, graph.compute("Cast", {x}, {{"DstT", to}}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator tensorflow_elementwise(const std::string& operation) {
  constexpr auto one = tensorflow_mapping<tensorflow_one>, two = tensorflow_mapping<tensorflow_two>;
  static const EagerTable all{{"Relu", {one}},
                              {"Sigmoid", {one}},
                              {"Tanh", {one}},
                              {"Softplus", {one}},
                              {"Exp", {one}},
                              {"Log", {one}},
                              {"Sqrt", {one}},
                              {"Sin", {one}},
                              {"Cos", {one}},
                              {"Erf", {one}},
                              {"Round", {one}},
                              {"Neg", {one}},
                              {"Abs", {one}},
                              {"Ceil", {one}},
                              {"Floor", {one}},
                              {"Reciprocal", {one}},
                              {"Identity", {one}},
                              {"Add", {two}},
                              {"Sub", {two}},
                              {"Mul", {two}},
                              {"Div", {two}},
                              {"Max", {two}},
                              {"Min", {two}},
                              {"Mod", {two}},
                              {"Equal", {two}},
                              {"Greater", {two}},
                              {"Less", {two}},
                              {"Gelu", {tensorflow_mapping<tensorflow_gelu>, "approximate"}},
                              {"Clip", {tensorflow_mapping<tensorflow_clip>}},
                              {"Where", {tensorflow_mapping<tensorflow_where>}},
                              {"Cast", {tensorflow_mapping<tensorflow_cast>, "to saturate"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
