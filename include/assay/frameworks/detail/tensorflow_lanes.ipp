#pragma once

#include "assay/frameworks/detail/tensorflow_lanes.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

/// What computes along the last axis, along another one: moved there, and back.
[[nodiscard]] inline EagerTensor along_last(TensorFlowGraph& graph, const EagerTensor& x, std::int64_t axis,
                                            const std::function<EagerTensor(const EagerTensor&)>& compute) {
  const std::int64_t last = x.rank() - 1;
  if (axis == last || graph.refused()) return compute(x);
  EagerExtents order(x.extents.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::swap(order[static_cast<std::size_t>(axis)], order.back());
  return graph.transpose(compute(graph.transpose(x, order)), order);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_softmax(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  graph.out(node, along_last(graph, x, graph.axis(node, x, -1),
                             [&](const EagerTensor& lanes) { return graph.compute(node.operation.c_str(), {lanes}); }));
}

[[nodiscard]] inline EagerTensor tensorflow_reduced(TensorFlowGraph& graph, const char* name, const EagerTensor& x,
                                                    const EagerExtents& axes, bool kept = true) {
  return graph.compute(name, {x, graph.integers(axes)}, {{"keep_dims", kept}});
}

/// (x − mean)/√(mean square + epsilon) along axes; the mean is 0 where it is not centered. TensorFlow's functions for
/// it are compositions in Python.
struct TensorFlowNormalized {
  EagerTensor y, mean, inverse;
};
[[nodiscard]] inline TensorFlowNormalized tensorflow_normalized(TensorFlowGraph& graph, const EagerTensor& x,
                                                                const EagerExtents& axes, double epsilon,
                                                                bool centered) {
  TensorFlowNormalized result;
  EagerTensor from = x;
  if (centered) {
    result.mean = tensorflow_reduced(graph, "Mean", x, axes);
    from = graph.compute("Sub", {x, result.mean});
  }
  const EagerTensor squares = tensorflow_reduced(graph, "Mean", graph.compute("Square", {from}), axes);
  const EagerTensor sum = graph.compute("AddV2", {squares, graph.scalar(x.type, epsilon)});
  result.inverse = graph.compute("Reciprocal", {graph.compute("Sqrt", {sum})});
  result.y = graph.compute("Mul", {from, result.inverse});
  return result;
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_normalization(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor own = graph.in(node, 0), x = graph.wide(own);
  const std::int64_t axis = graph.axis(node, x, -1);
  EagerExtents axes;
  for (std::int64_t d = axis; d < x.rank(); ++d) axes.push_back(d);
  const auto normal =
      tensorflow_normalized(graph, x, axes, real_of(node, "epsilon", 1e-5), node.operation == "LayerNormalization");
  EagerTensor y = normal.y;
  if (has_input(node, 1)) y = graph.compute("Mul", {y, graph.wide(graph.in(node, 1))});
  if (has_input(node, 2)) y = graph.compute("AddV2", {y, graph.wide(graph.in(node, 2))});
  graph.out(node, graph.convert(y, own.type));
  if (wants_output(node, 1)) graph.out(node, normal.mean, 1);
  if (wants_output(node, 2)) graph.out(node, normal.inverse, 2);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_by_channel(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor own = graph.in(node, 0), x = graph.wide(own);
  if (graph.refused()) return;
  if (x.rank() < 2) return graph.refuse(ErrorKind::invalid, node.operation + " has no channels");
  const double epsilon = real_of(node, "epsilon", 1e-5);
  const std::int64_t images = x.extents[0], channels = x.extents[1];
  std::int64_t plane = 1;
  for (std::size_t d = 2; d < x.extents.size(); ++d) plane *= x.extents[d];
  const auto parameter = [&](std::size_t input) { return graph.wide(graph.in(node, input)); };
  if (node.operation == "BatchNormalization") {
    if (integer_of(node, "training_mode", 0) != 0) return graph.refuse("BatchNormalization that learns is not mapped");
    if (own.type == TensorType::float64) return graph.refuse("TensorFlow's FusedBatchNormV3 takes no float64");
    // Channels last, in a plane of one row.
    const EagerTensor planes = graph.transpose(graph.reshape(own, {images, channels, plane, 1}), {0, 2, 3, 1});
    const auto all = graph.compute_all({"FusedBatchNormV3",
                                        {planes, parameter(1), parameter(2), parameter(3), parameter(4)},
                                        {{"epsilon", epsilon}, {"is_training", false}},
                                        false,
                                        6});
    return graph.out(node, graph.reshape(graph.transpose(all[0], {0, 3, 1, 2}), own.extents));
  }
  const std::int64_t groups = integer_of(node, "num_groups", 1);
  if (groups < 1 || channels % groups != 0) return graph.refuse(ErrorKind::invalid, "groups do not divide channels");
  EagerExtents per_channel(x.extents.size() - 1, 1);
  per_channel[0] = channels;
  const EagerTensor grouped = graph.reshape(x, {images, groups, channels / groups * plane});
  EagerTensor y = graph.reshape(tensorflow_normalized(graph, grouped, {2}, epsilon, true).y, x.extents);
  y = graph.compute("Mul", {y, graph.reshape(parameter(1), per_channel)});
  y = graph.compute("AddV2", {y, graph.reshape(parameter(2), per_channel)});
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_reduction(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents axes = graph.axes(node, x);
  const bool kept = integer_of(node, "keepdims", 1) != 0;
  const std::string& name = node.operation;
  const auto reduced = [&](const char* own, const EagerTensor& of) {
    graph.out(node, tensorflow_reduced(graph, own, of, axes, kept));
  };
  if (name == "ReduceSum") return reduced("Sum", x);
  if (name == "ReduceMean") return reduced("Mean", x);
  if (name == "ReduceProd") return reduced("Prod", x);
  if (name == "ReduceMax") return reduced("Max", x);
  if (name == "ReduceMin") return reduced("Min", x);
  if (name == "ReduceL2") return reduced("EuclideanNorm", x);
  if (name == "ReduceSumSquare") return reduced("Sum", graph.compute("Square", {x}));
  // The logarithm of a sum, from the largest, or from 0 where all is −∞.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const EagerTensor most = tensorflow_reduced(graph, "Max", x, axes);
  const EagerTensor none = graph.compute("Equal", {most, graph.scalar(x.type, -infinity)});
  const EagerTensor from = graph.compute("SelectV2", {none, graph.scalar(x.type, 0), most});
  const EagerTensor powers = graph.compute("Exp", {graph.compute("Sub", {x, from})});
  const EagerTensor y =
      graph.compute("AddV2", {from, graph.compute("Log", {tensorflow_reduced(graph, "Sum", powers, axes)})});
  EagerExtents extents;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) extents.push_back(x.extents[static_cast<std::size_t>(d)]);
  graph.out(node, kept ? y : graph.reshape(y, extents));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_place(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::int64_t axis = graph.axis(node, x, 0);
  if (integer_of(node, "select_last_index", 0) != 0)
    return graph.refuse("TensorFlow's ArgMax and ArgMin give the first place");
  EagerTensor y = graph.compute(node.operation.c_str(), {x, graph.scalar(TensorType::int32, static_cast<double>(axis))},
                                {{"output_type", TensorType::int64}});
  if (integer_of(node, "keepdims", 1) != 0 && !graph.refused()) {
    EagerExtents extents = x.extents;
    extents[static_cast<std::size_t>(axis)] = 1;
    y = graph.reshape(y, extents);
  }
  graph.out(node, y);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_prefix_sum(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerExtents axes = graph.list(node, 1);
  if (axes.size() != 1) return graph.refuse(ErrorKind::invalid, "CumSum takes one axis");
  graph.out(node,
            graph.compute("Cumsum", {graph.in(node, 0), graph.scalar(TensorType::int32, static_cast<double>(axes[0]))},
                          {{"exclusive", integer_of(node, "exclusive", 0) != 0},
                           {"reverse", integer_of(node, "reverse", 0) != 0}}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_top(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::int64_t axis = graph.axis(node, x, -1);
  const EagerExtents wanted = graph.list(node, 1);
  const bool largest = integer_of(node, "largest", 1) != 0;
  if (graph.refused()) return;
  if (wanted.size() != 1) return graph.refuse(ErrorKind::invalid, "TopK takes one number");
  if (!largest && !is_float(x.type)) return graph.refuse("TensorFlow's TopKV2 takes the largest");
  EagerTensor places;
  EagerExtents order(x.extents.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::swap(order[static_cast<std::size_t>(axis)], order.back());
  EagerTensor lanes = graph.transpose(largest ? x : graph.compute("Neg", {x}), order);
  const auto both = graph.compute_all({"TopKV2",
                                       {lanes, graph.scalar(TensorType::int32, static_cast<double>(wanted[0]))},
                                       {{"sorted", true}},
                                       false,
                                       2});
  const EagerTensor values = graph.transpose(both[0], order);
  graph.out(node, largest ? values : graph.compute("Neg", {values}));
  graph.out(node, graph.transpose(graph.convert(both[1], TensorType::int64), order), 1);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_cross_entropy(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0), labels = graph.in(node, 1);
  const std::string reduction = text_of(node, "reduction", "mean");
  if (x.rank() != 2 || has_input(node, 2) || wants_output(node, 1) || reduction == "sum")
    return graph.refuse("losses with weights, sums, or of more than rows and classes are not mapped");
  EagerTensor known = labels, ignored;
  const bool ignores = attribute_of(node, "ignore_index") != nullptr;
  if (ignores) {
    const double index = static_cast<double>(integer_of(node, "ignore_index", 0));
    ignored = graph.compute("Equal", {labels, graph.scalar(labels.type, index)});
    known = graph.compute("SelectV2", {ignored, graph.scalar(labels.type, 0), labels});
  }
  const auto both = graph.compute_all({"SparseSoftmaxCrossEntropyWithLogits", {x, known}, {}, false, 2});
  EagerTensor loss = both[0];
  if (ignores) loss = graph.compute("SelectV2", {ignored, graph.scalar(x.type, 0), loss});
  if (reduction == "none") return graph.out(node, loss);
  const EagerTensor sum = tensorflow_reduced(graph, "Sum", graph.wide(loss), {0}, false);
  EagerTensor count = graph.scalar(sum.type, static_cast<double>(x.extents[0]));
  if (ignores) {
    const EagerTensor weights =
        graph.compute("SelectV2", {ignored, graph.scalar(sum.type, 0), graph.scalar(sum.type, 1)});
    count = tensorflow_reduced(graph, "Sum", weights, {0}, false);
  }
  graph.out(node, graph.convert(graph.compute("RealDiv", {sum, count}), x.type));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator tensorflow_lanes(const std::string& operation) {
  constexpr const char* reduced = "keepdims noop_with_empty_axes";
  constexpr auto softmax = tensorflow_mapping<tensorflow_softmax>, place = tensorflow_mapping<tensorflow_place>,
                 normalization = tensorflow_mapping<tensorflow_normalization>,
                 channel = tensorflow_mapping<tensorflow_by_channel>,
                 reduction = tensorflow_mapping<tensorflow_reduction>;
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
      {"CumSum", {tensorflow_mapping<tensorflow_prefix_sum>, "exclusive reverse"}},
      {"TopK", {tensorflow_mapping<tensorflow_top>, "axis largest sorted"}},
      {"SoftmaxCrossEntropyLoss", {tensorflow_mapping<tensorflow_cross_entropy>, "ignore_index reduction"}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
