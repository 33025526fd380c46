#pragma once

#include "assay/frameworks/detail/torch_elementwise.hpp"

#include <map>

#include "assay/core/config.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void torch_one(TorchGraph& graph, const GraphNode& node) {
  static const std::map<std::string, const char*> names{
      {"Relu", "aten::relu"},   {"Sigmoid", "aten::sigmoid"}, {"Tanh", "aten::tanh"},
      {"Exp", "aten::exp"},     {"Log", "aten::log"},         {"Sqrt", "aten::sqrt"},
      {"Sin", "aten::sin"},     {"Cos", "aten::cos"},         {"Erf", "aten::erf"},
      {"Round", "aten::round"}, {"Neg", "aten::neg"},         {"Abs", "aten::abs"},
      {"Ceil", "aten::ceil"},   {"Floor", "aten::floor"},     {"Reciprocal", "aten::reciprocal"}};
  graph.out(node, graph.compute(names.at(node.operation), {graph.in(node, 0)}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_two(TorchGraph& graph, const GraphNode& node) {
  static const std::map<std::string, const char*> names{
      {"Mul", "aten::mul.Tensor"},       {"Max", "aten::maximum"},       {"Min", "aten::minimum"},
      {"Mod", "aten::remainder.Tensor"}, {"Greater", "aten::gt.Tensor"}, {"Less", "aten::lt.Tensor"},
      {"Equal", "aten::eq.Tensor"}};
  const EagerTensor a = graph.in(node, 0), b = graph.in(node, 1);
  if (node.inputs.size() != 2) return graph.refuse(node.operation + " of other than two tensors is not mapped");
  if (a.type != b.type) return graph.refuse(ErrorKind::invalid, node.operation + " takes tensors of one type");
  if (node.operation == "Add" || node.operation == "Sub")
    return graph.out(node, graph.add(a, b, node.operation == "Sub"));
  if (node.operation == "Div")
    return graph.out(node, is_float(a.type) ? graph.compute("aten::div.Tensor", {a, b})
                                            : graph.compute("aten::div.Tensor_mode", {a, b, maybe("trunc")}));
  graph.out(node, graph.compute(names.at(node.operation), {a, b}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_gelu(TorchGraph& graph, const GraphNode& node) {
  graph.out(node, graph.compute("aten::gelu", {graph.in(node, 0), text_of(node, "approximate", "none").c_str()}));
}

/// aten::softplus takes Scalars, which the dispatcher's stack cannot hold: log(1 + eˣ) = −log σ(−x).
ASSAY_DETAIL_HEADER_INLINE void torch_softplus(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor negative = graph.compute("aten::neg", {graph.in(node, 0)});
  graph.out(node, graph.compute("aten::neg", {graph.compute("aten::log_sigmoid", {negative})}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_identity(TorchGraph& graph, const GraphNode& node) {
  graph.out(node, graph.in(node, 0));
}

ASSAY_DETAIL_HEADER_INLINE void torch_clip(TorchGraph& graph, const GraphNode& node) {
  const auto end = [&](std::size_t input) {
    return has_input(node, input) ? maybe(graph.in(node, input)) : TorchArgument();
  };
  graph.out(node, graph.compute("aten::clamp.Tensor", {graph.in(node, 0), end(1), end(2)}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_where(TorchGraph& graph, const GraphNode& node) {
  graph.out(node, graph.compute("aten::where.self", {graph.in(node, 0), graph.in(node, 1), graph.in(node, 2)}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_cast(TorchGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  const auto to = static_cast<TensorType>(integer_of(node, "to", 0));
  const bool saturates = integer_of(node, "saturate", 1) != 0;
  if (to == TensorType::float8e4m3fn && is_float(x.type) && !saturates)
    return graph.refuse("PyTorch's casts to float8e4m3fn saturate");
  if (to >= TensorType::float8e4m3fn && to <= TensorType::float8e5m2fnuz && is_float(x.type) && saturates) {
    const double most = element_format_of(to)->max_finite();
    x = graph.compute("aten::clamp.Tensor", {x, maybe(graph.scalar(x.type, -most)), maybe(graph.scalar(x.type, most))});
  }
  graph.out(node, graph.compute("aten::to.dtype", {x, to, false, false, TorchArgument()}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator torch_elementwise(const std::string& operation) {
  constexpr auto one = torch_mapping<torch_one>, two = torch_mapping<torch_two>;
  static const EagerTable all{{"Relu", {one}},
                              {"Sigmoid", {one}},
                              {"Tanh", {one}},
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
                              {"Add", {two}},
                              {"Sub", {two}},
                              {"Mul", {two}},
                              {"Div", {two}},
                              {"Max", {two}},
                              {"Min", {two}},
                              {"Mod", {two}},
                              {"Less", {two}},
                              {"Greater", {two}},
                              {"Equal", {two}},
                              {"Gelu", {torch_mapping<torch_gelu>, "approximate"}},
                              {"Softplus", {torch_mapping<torch_softplus>}},
                              {"Identity", {torch_mapping<torch_identity>}},
                              {"Clip", {torch_mapping<torch_clip>}},
                              {"Where", {torch_mapping<torch_where>}},
                              {"Cast", {torch_mapping<torch_cast>, "to saturate"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
