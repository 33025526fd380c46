#pragma once

#include "assay/frameworks/detail/stablehlo_lanes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "assay/core/config.hpp"
#include "assay/formats/classify.hpp"

namespace assay::inline v0::detail {

inline constexpr double hlo_infinity = std::numeric_limits<double>::infinity();

[[nodiscard]] inline HloValue hlo_mean(StableHloGraph& graph, const HloValue& x, const HloExtents& axes) {
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= x.extents.at(static_cast<std::size_t>(axis));
  const HloValue sum = graph.reduce("add", x, 0, axes);
  return graph.binary("divide", sum, graph.scalar(x.type, static_cast<double>(count)));
}

/// Axes of the attribute or the input that names them.
[[nodiscard]] inline HloExtents hlo_axes(StableHloGraph& graph, const GraphNode& node, const HloValue& x) {
  HloExtents axes = graph.has(node, 1) ? graph.list(node, 1) : graph.integers_of(node, "axes", {});
  if (axes.empty())
    for (std::int64_t d = 0; d < x.rank(); ++d) axes.push_back(d);
  for (std::int64_t& axis : axes) axis += axis < 0 ? x.rank() : 0;
  return axes;
}

ASSAY_DETAIL_HEADER_INLINE HloLogSum hlo_log_sum(StableHloGraph& graph, const HloValue& x, const HloExtents& axes) {
  HloValue most = graph.reduce("maximum", x, -hlo_infinity, axes);
  const HloValue shifted = graph.binary("subtract", x, most);
  const HloValue sum = graph.reduce("add", graph.unary("exponential", shifted), 0, axes);
  return {shifted, graph.unary("log", sum)};
}

ASSAY_DETAIL_HEADER_INLINE void lower_softmax(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);
  const HloExtents axes{graph.axis(node, x, -1)};
  if (node.operation == "LogSoftmax") {
    const HloLogSum sum = hlo_log_sum(graph, x, axes);
    return graph.out(node, graph.convert(graph.binary("subtract", sum.shifted, sum.logarithm), own.type));
  }
  const HloValue most = graph.reduce("maximum", x, -hlo_infinity, axes);
  const HloValue exponentials = graph.unary("exponential", graph.binary("subtract", x, most));
  const HloValue y = graph.binary("divide", exponentials, graph.reduce("add", exponentials, 0, axes));
  graph.out(node, graph.convert(y, own.type));
}

/// (x − mean)/√(variance + epsilon) along axes; the mean 0 and the second moment where it is not centered.
struct HloNormalized {
  HloValue y, mean, inverse;
};
[[nodiscard]] inline HloNormalized hlo_normalized(StableHloGraph& graph, const HloValue& x, const HloExtents& axes,
                                                  double epsilon, bool centered) {
  HloNormalized result;
  HloValue from = x;
  if (centered) {
    result.mean = hlo_mean(graph, x, axes);
    from = graph.binary("subtract", x, result.mean);
  }
  const HloValue variance = hlo_mean(graph, graph.binary("multiply", from, from), axes);
  const HloValue deviation = graph.unary("sqrt", graph.binary("add", variance, graph.scalar(x.type, epsilon)));
  result.inverse = graph.binary("divide", graph.scalar(x.type, 1), deviation);
  result.y = graph.binary("divide", from, deviation);
  return result;
}

ASSAY_DETAIL_HEADER_INLINE void lower_normalization(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);
  const bool rms = node.operation == "RMSNormalization";
  HloExtents axes;
  for (std::int64_t d = graph.axis(node, x, -1); d < x.rank(); ++d) axes.push_back(d);
  const HloNormalized normal = hlo_normalized(graph, x, axes, graph.real(node, "epsilon", 1e-5), !rms);
  HloValue y = graph.binary("multiply", normal.y, graph.wide(graph.in(node, 1)));
  if (graph.has(node, 2)) y = graph.binary("add", y, graph.wide(graph.in(node, 2)));
  graph.out(node, graph.convert(y, own.type));
  if (graph.wants(node, 1)) graph.out(node, normal.mean, 1);
  if (graph.wants(node, 2)) graph.out(node, normal.inverse, 2);
}

ASSAY_DETAIL_HEADER_INLINE void lower_by_channel(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);
  if (x.rank() < 2) return graph.refuse(ErrorKind::invalid, node.operation + " has no channels");
  const double epsilon = graph.real(node, "epsilon", 1e-5);
  HloExtents per_channel(static_cast<std::size_t>(x.rank() - 1), 1);
  per_channel[0] = x.extents[1];
  const auto parameter = [&](std::size_t input) {
    return graph.reshape(graph.wide(graph.in(node, input)), per_channel);
  };
  HloValue y;
  if (node.operation == "BatchNormalization") {
    const HloValue variance = graph.binary("add", parameter(4), graph.scalar(x.type, epsilon));
    y = graph.binary("divide", graph.binary("subtract", x, parameter(3)), graph.unary("sqrt", variance));
  } else {
    const std::int64_t groups = graph.integer(node, "num_groups", 1);
    const std::int64_t all = std::accumulate(x.extents.begin() + 1, x.extents.end(), std::int64_t{1},
                                             [](std::int64_t a, std::int64_t b) { return a * b; });
    if (groups < 1 || all % groups != 0) return graph.refuse(ErrorKind::invalid, "groups do not divide channels");
    const HloValue grouped = graph.reshape(x, {x.extents[0], groups, all / groups});
    y = graph.reshape(hlo_normalized(graph, grouped, {2}, epsilon, true).y, x.extents);
  }
  y = graph.binary("add", graph.binary("multiply", y, parameter(1)), parameter(2));
  graph.out(node, graph.convert(y, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_reduction(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own);
  const HloExtents axes = hlo_axes(graph, node, x);
  const std::string& name = node.operation;
  HloValue y;
  const auto squares = [&] { return graph.reduce("add", graph.binary("multiply", x, x), 0, axes); };
  if (name == "ReduceSum") y = graph.reduce("add", x, 0, axes);
  if (name == "ReduceMean") y = hlo_mean(graph, x, axes);
  if (name == "ReduceProd") y = graph.reduce("multiply", x, 1, axes);
  if (name == "ReduceSumSquare") y = squares();
  if (name == "ReduceL2") y = graph.unary("sqrt", squares());
  if (name == "ReduceMax" || name == "ReduceMin") {
    if (!is_float(x.type)) return graph.refuse("selections of integers are not expressed");
    y = name == "ReduceMax" ? graph.reduce("maximum", x, -hlo_infinity, axes)
                            : graph.reduce("minimum", x, hlo_infinity, axes);
  }
  if (name == "ReduceLogSumExp") {
    // Where all is −∞, differences from it would be NaN.
    const HloValue most = graph.reduce("maximum", x, -hlo_infinity, axes);
    const HloValue none = graph.compare("EQ", most, graph.scalar(x.type, -hlo_infinity));
    const HloValue from = graph.select(none, graph.scalar(x.type, 0), most);
    const HloValue sum = graph.reduce("add", graph.unary("exponential", graph.binary("subtract", x, from)), 0, axes);
    y = graph.binary("add", from, graph.unary("log", sum));
  }
  y = graph.convert(y, own.type);
  if (graph.integer(node, "keepdims", 1) == 0) {
    HloExtents kept;
    for (std::int64_t d = 0; d < x.rank(); ++d)
      if (std::find(axes.begin(), axes.end(), d) == axes.end()) kept.push_back(x.extents[static_cast<std::size_t>(d)]);
    y = graph.reshape(y, kept);
  }
  graph.out(node, y);
}

/// The first or last place of what equals the extreme.
ASSAY_DETAIL_HEADER_INLINE void lower_place(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  if (!is_float(x.type)) return graph.refuse("selections of integers are not expressed");
  const std::int64_t axis = graph.axis(node, x, 0), length = x.extents[static_cast<std::size_t>(axis)];
  const bool most = node.operation == "ArgMax", last = graph.integer(node, "select_last_index", 0) != 0;
  const HloValue extreme = graph.reduce(most ? "maximum" : "minimum", x, most ? -hlo_infinity : hlo_infinity, {axis});
  const HloValue places = graph.iota(TensorType::int64, x.extents, axis);
  const double none = last ? -1 : static_cast<double>(length);
  const HloValue chosen = graph.select(graph.compare("EQ", x, extreme), places, graph.scalar(TensorType::int64, none));
  graph.out(node, graph.reduce(last ? "maximum" : "minimum", chosen, none, {axis}));
}

/// Sums of twice as many elements in each step.
ASSAY_DETAIL_HEADER_INLINE void lower_prefix_sum(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0);
  HloValue x = graph.wide(own);
  const HloExtents axes = graph.list(node, 1);
  if (axes.size() != 1 || graph.integer(node, "reverse", 0) != 0) return graph.refuse("such a prefix sum");
  const std::int64_t axis = axes[0], length = x.extents.at(static_cast<std::size_t>(axis));
  for (std::int64_t step = 1; step < length; step *= 2) {
    const HloValue sum =
        graph.binary("add", graph.slice(x, axis, step, length), graph.slice(x, axis, 0, length - step));
    x = graph.concatenate({graph.slice(x, axis, 0, step), sum}, axis);
  }
  if (graph.integer(node, "exclusive", 0) != 0 && length > 0) {
    HloExtents one = x.extents;
    one[static_cast<std::size_t>(axis)] = 1;
    x = graph.concatenate({graph.splat(x.type, one, 0), graph.slice(x, axis, 0, length - 1)}, axis);
  }
  graph.out(node, graph.convert(x, own.type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_top(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  const std::int64_t axis = graph.axis(node, x, -1);
  const HloExtents wanted = graph.list(node, 1);
  if (wanted.size() != 1) return graph.refuse(ErrorKind::invalid, "TopK takes one number");
  const HloValue places = graph.iota(TensorType::int64, x.extents, axis);
  const std::string pair = graph.fresh(), a = graph.fresh(), b = graph.fresh(), i = graph.fresh(), j = graph.fresh(),
                    c = graph.fresh(), one = hlo_type(x.type, {}), place = hlo_type(TensorType::int64, {}),
                    types = hlo_type(x) + ", " + hlo_type(places);
  const char* const direction = graph.integer(node, "largest", 1) != 0 ? "GT" : "LT";
  graph.line(pair + ":2 = \"stablehlo.sort\"(" + x.name + ", " + places.name +
             ") <{dimension = " + std::to_string(axis) + " : i64, is_stable = true}> ({ ^bb0(" + a + ": " + one + ", " +
             b + ": " + one + ", " + i + ": " + place + ", " + j + ": " + place + "): " + c + " = stablehlo.compare " +
             direction + ", " + a + ", " + b + " : (" + one + ", " + one + ") -> tensor<i1> stablehlo.return " + c +
             " : tensor<i1> }) : (" + types + ") -> (" + types + ")");
  graph.out(node, graph.slice({pair + "#0", x.type, x.extents}, axis, 0, wanted[0]), 0);
  graph.out(node, graph.slice({pair + "#1", TensorType::int64, x.extents}, axis, 0, wanted[0]), 1);
}

ASSAY_DETAIL_HEADER_INLINE void lower_cross_entropy(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0), x = graph.wide(own), labels = graph.in(node, 1);
  if (x.rank() != 2) return graph.refuse("losses of more than rows and classes are not expressed");
  const HloExtents column{x.extents[0], 1};
  const HloLogSum sum = hlo_log_sum(graph, x, {1});
  const HloValue label = graph.reshape(labels, column);
  const HloValue chosen = graph.compare("EQ", graph.iota(labels.type, x.extents, 1), label);
  const HloValue zero = graph.scalar(x.type, 0), one = graph.scalar(x.type, 1);
  const HloValue own_logit = graph.reduce("add", graph.select(chosen, sum.shifted, zero), 0, {1});
  HloValue loss = graph.binary("subtract", sum.logarithm, own_logit), weight = graph.splat(x.type, column, 1);
  if (graph.attribute(node, "ignore_index") != nullptr) {
    const HloValue ignored = graph.scalar(labels.type, static_cast<double>(graph.integer(node, "ignore_index", 0)));
    const HloValue out = graph.compare("EQ", label, ignored);
    loss = graph.select(out, zero, loss);
    weight = graph.select(out, zero, graph.broadcast(one, column));
  }
  if (graph.text(node, "reduction", "mean") == "mean") {
    const HloValue all = graph.reduce("add", loss, 0, {0, 1}), count = graph.reduce("add", weight, 0, {0, 1});
    loss = graph.reshape(graph.binary("divide", all, count), {});
  } else {
    loss = graph.reshape(loss, {x.extents[0]});
  }
  graph.out(node, graph.convert(loss, own.type));
}

ASSAY_DETAIL_HEADER_INLINE HloLowering lane_lowering(const std::string& operation) {
  static const std::map<std::string, HloLowering> all{{"Softmax", lower_softmax},
                                                      {"LogSoftmax", lower_softmax},
                                                      {"LayerNormalization", lower_normalization},
                                                      {"RMSNormalization", lower_normalization},
                                                      {"GroupNormalization", lower_by_channel},
                                                      {"BatchNormalization", lower_by_channel},
                                                      {"ReduceSum", lower_reduction},
                                                      {"ReduceMean", lower_reduction},
                                                      {"ReduceProd", lower_reduction},
                                                      {"ReduceSumSquare", lower_reduction},
                                                      {"ReduceL2", lower_reduction},
                                                      {"ReduceMax", lower_reduction},
                                                      {"ReduceMin", lower_reduction},
                                                      {"ReduceLogSumExp", lower_reduction},
                                                      {"ArgMax", lower_place},
                                                      {"ArgMin", lower_place},
                                                      {"CumSum", lower_prefix_sum},
                                                      {"TopK", lower_top},
                                                      {"SoftmaxCrossEntropyLoss", lower_cross_entropy}};
  const auto found = all.find(operation);
  return found != all.end() ? found->second : nullptr;
}

}  // namespace assay::inline v0::detail
