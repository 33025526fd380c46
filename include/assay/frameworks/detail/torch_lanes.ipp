#pragma once

#include "assay/frameworks/detail/torch_lanes.hpp"

#include <numeric>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void torch_softmax(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const char* const name = node.operation == "Softmax" ? "aten::softmax.int" : "aten::log_softmax.int";
  graph.out(node, graph.compute(name, {x, graph.axis(node, x, -1), TorchArgument()}));
}

/// A parameter that may not be there.
[[nodiscard]] inline TorchArgument torch_parameter(TorchGraph& graph, const GraphNode& node, std::size_t input) {
  return has_input(node, input) ? maybe(graph.in(node, input)) : TorchArgument();
}

ASSAY_DETAIL_HEADER_INLINE void torch_normalization(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::int64_t axis = graph.axis(node, x, -1);
  if (graph.refused()) return;
  const EagerExtents lane(x.extents.begin() + axis, x.extents.end());
  const double epsilon = real_of(node, "epsilon", 1e-5);
  const TorchArgument gamma = torch_parameter(graph, node, 1), beta = torch_parameter(graph, node, 2);
  if (node.operation == "RMSNormalization")
    return graph.out(node, graph.compute("aten::rms_norm", {x, lane, gamma, maybe(epsilon)}));
  if (!wants_output(node, 1) && !wants_output(node, 2))
    return graph.out(node, graph.compute("aten::layer_norm", {x, lane, gamma, beta, epsilon, false}));
  const auto all = graph.compute("aten::native_layer_norm", {x, lane, gamma, beta, epsilon}, 3);
  for (std::size_t i = 0; i < 3; ++i) graph.out(node, all[i], i);
}

ASSAY_DETAIL_HEADER_INLINE void torch_by_channel(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const double epsilon = real_of(node, "epsilon", 1e-5);
  const TorchArgument gamma = torch_parameter(graph, node, 1), beta = torch_parameter(graph, node, 2);
  if (node.operation == "GroupNormalization")
    return graph.out(
        node, graph.compute("aten::group_norm", {x, integer_of(node, "num_groups", 1), gamma, beta, epsilon, false}));
  if (integer_of(node, "training_mode", 0) != 0) return graph.refuse("BatchNormalization that learns is not mapped");
  graph.out(node, graph.compute("aten::batch_norm", {x, gamma, beta, torch_parameter(graph, node, 3),
                                                     torch_parameter(graph, node, 4), false, 0.0, epsilon, false}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_reduction(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents axes = graph.axes(node, x);
  if (graph.refused()) return;
  const bool kept = integer_of(node, "keepdims", 1) != 0;
  const std::string& name = node.operation;
  // Sums of integers would be of 64 bits.
  const TorchArgument type = is_float(x.type) ? TorchArgument() : maybe(x.type);
  if (name == "ReduceSum") return graph.out(node, graph.compute("aten::sum.dim_IntList", {x, maybe(axes), kept, type}));
  if (name == "ReduceSumSquare") {
    const EagerTensor squares = graph.compute("aten::mul.Tensor", {x, x});
    return graph.out(node, graph.compute("aten::sum.dim_IntList", {squares, maybe(axes), kept, type}));
  }
  if (name == "ReduceMean") return graph.out(node, graph.compute("aten::mean.dim", {x, maybe(axes), kept, type}));
  if (name == "ReduceL2") return graph.out(node, graph.compute("aten::frobenius_norm.dim", {x, axes, kept}));
  if (name == "ReduceLogSumExp") return graph.out(node, graph.compute("aten::logsumexp", {x, axes, kept}));
  if (name == "ReduceProd") {
    if (axes.size() != 1) return graph.refuse("products along other than one axis are not mapped");
    return graph.out(node, graph.compute("aten::prod.dim_int", {x, axes[0], kept, type}));
  }
  graph.out(node, graph.compute(name == "ReduceMax" ? "aten::amax" : "aten::amin", {x, axes, kept}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_place(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  if (integer_of(node, "select_last_index", 0) != 0)
    return graph.refuse("PyTorch's argmax and argmin give the first place");
  graph.out(node, graph.compute(node.operation == "ArgMax" ? "aten::argmax" : "aten::argmin",
                                {x, maybe(graph.axis(node, x, 0)), integer_of(node, "keepdims", 1) != 0}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_prefix_sum(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents axes = graph.list(node, 1);
  if (axes.size() != 1 || axes[0] < 0 || axes[0] >= x.rank() || integer_of(node, "reverse", 0) != 0)
    return graph.refuse("a prefix sum from the end is not mapped");
  const TorchArgument type = is_float(x.type) ? TorchArgument() : maybe(x.type);
  EagerTensor y = graph.compute("aten::cumsum", {x, axes[0], type});
  const std::int64_t length = x.extents[static_cast<std::size_t>(axes[0])];
  if (integer_of(node, "exclusive", 0) != 0 && length > 0 && !graph.refused()) {
    GraphTensor zeros{"", x.type, x.extents, {}, {}};
    zeros.extents[static_cast<std::size_t>(axes[0])] = 1;
    zeros.bytes.assign(static_cast<std::size_t>(zeros.byte_size()), '\0');
    const EagerTensor before = graph.compute("aten::narrow", {y, axes[0], 0, length - 1});
    y = graph.compute("aten::cat", {std::vector<EagerTensor>{graph.constant(zeros), before}, axes[0]});
  }
  graph.out(node, y);
}

/// By the stable sort: of equals ONNX wants the first, and aten::topk promises none.
ASSAY_DETAIL_HEADER_INLINE void torch_top(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::int64_t axis = graph.axis(node, x, -1);
  const EagerExtents wanted = graph.list(node, 1);
  if (wanted.size() != 1) return graph.refuse(ErrorKind::invalid, "TopK takes one number");
  const auto sorted =
      graph.compute("aten::sort.stable", {x, maybe(true), axis, integer_of(node, "largest", 1) != 0}, 2);
  for (std::size_t i = 0; i < 2; ++i)
    graph.out(node, graph.compute("aten::narrow", {sorted[i], axis, 0, wanted[0]}), i);
}

ASSAY_DETAIL_HEADER_INLINE void torch_cross_entropy(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0), labels = graph.convert(graph.in(node, 1), TensorType::int64);
  const std::string reduction = text_of(node, "reduction", "mean");
  if (wants_output(node, 1)) return graph.refuse("logarithms of probabilities beside the loss are not mapped");
  graph.out(node, graph.compute("aten::cross_entropy_loss", {x, labels, torch_parameter(graph, node, 2),
                                                             reduction == "none"   ? 0
                                                             : reduction == "mean" ? 1
                                                                                   : 2,
                                                             integer_of(node, "ignore_index", -100), 0.0}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator torch_lanes(const std::string& operation) {
  constexpr const char* reduced = "keepdims noop_with_empty_axes";
  constexpr auto softmax = torch_mapping<torch_softmax>, reduction = torch_mapping<torch_reduction>,
                 normalization = torch_mapping<torch_normalization>, channel = torch_mapping<torch_by_channel>,
                 place = torch_mapping<torch_place>;
  static const EagerTable all{
      {"Softmax", {softmax, "axis"}},
      {"LogSoftmax", {softmax, "axis"}},
      {"LayerNormalization", {normalization, "axis epsilon"}},
      {"RMSNormalization", {normalization, "axis epsilon"}},
      {"GroupNormalization", {channel, "epsilon num_groups"}},
      {"BatchNormalization", {channel, "epsilon training_mode"}},
      {"ReduceSum", {reduction, reduced}},
      {"ReduceMean", {reduction, reduced}},
      {"ReduceProd", {reduction, reduced}},
      {"ReduceSumSquare", {reduction, reduced}},
      {"ReduceL2", {reduction, reduced}},
      {"ReduceMax", {reduction, reduced}},
      {"ReduceMin", {reduction, reduced}},
      {"ReduceLogSumExp", {reduction, reduced}},
      {"ArgMax", {place, "axis keepdims select_last_index"}},
      {"ArgMin", {place, "axis keepdims select_last_index"}},
      {"CumSum", {torch_mapping<torch_prefix_sum>, "exclusive reverse"}},
      {"TopK", {torch_mapping<torch_top>, "axis largest sorted"}},
      {"SoftmaxCrossEntropyLoss", {torch_mapping<torch_cross_entropy>, "ignore_index reduction"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
