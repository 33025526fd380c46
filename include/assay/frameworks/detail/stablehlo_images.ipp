#pragma once

#include "assay/frameworks/detail/stablehlo_images.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Windows of an operator over the spatial dimensions, which are the last ones.
struct HloWindows {
  HloExtents window, stride, dilation, before, after;
};
[[nodiscard]] inline HloWindows hlo_windows(StableHloGraph& graph, const GraphNode& node, const HloExtents& window) {
  const std::size_t count = window.size();
  HloWindows own;
  own.window = graph.integers_of(node, "kernel_shape", window);
  own.stride = graph.integers_of(node, "strides", HloExtents(count, 1));
  own.dilation = graph.integers_of(node, "dilations", HloExtents(count, 1));
  const HloExtents pads = graph.integers_of(node, "pads", HloExtents(2 * count, 0));
  own.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2));
  own.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2), pads.end());
  return own;
}

[[nodiscard]] inline HloValue hlo_reduce_windows(StableHloGraph& graph, const HloValue& x, const HloWindows& own,
                                                 const char* operation, double initial) {
  HloExtents window{1, 1}, stride{1, 1}, dilation{1, 1}, extents{x.extents[0], x.extents[1]};
  std::string padding = "[0, 0], [0, 0]";
  for (std::size_t d = 0; d < own.window.size(); ++d) {
    window.push_back(own.window[d]);
    stride.push_back(own.stride[d]);
    dilation.push_back(own.dilation[d]);
    padding += ", [" + std::to_string(own.before[d]) + ", " + std::to_string(own.after[d]) + "]";
    const std::int64_t reach = (own.window[d] - 1) * own.dilation[d] + 1,
                       all = x.extents.at(d + 2) + own.before[d] + own.after[d];
    extents.push_back(all >= reach ? (all - reach) / own.stride[d] + 1 : 0);
  }
  const HloValue first = graph.scalar(x.type, initial);
  const std::string scalar = hlo_type(x.type, {}), a = graph.fresh(), b = graph.fresh(), c = graph.fresh();
  return graph.emit("\"stablehlo.reduce_window\"(" + x.name + ", " + first.name + ") <{padding = dense<[" + padding +
                        "]> : tensor<" + std::to_string(x.rank()) + "x2xi64>, window_dilations = array<i64: " +
                        hlo_list(dilation) + ">, window_dimensions = array<i64: " + hlo_list(window) +
                        ">, window_strides = array<i64: " + hlo_list(stride) + ">}> ({ ^bb0(" + a + ": " + scalar +
                        ", " + b + ": " + scalar + "): " + c + " = stablehlo." + operation + " " + a + ", " + b +
                        " : " + scalar + " stablehlo.return " + c + " : " + scalar + " }) : (" + hlo_type(x) + ", " +
                        scalar + ") -> " + hlo_type(x.type, extents),
                    x.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE void lower_pooling(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0);
  const HloWindows windows = hlo_windows(graph, node, graph.integers_of(node, "kernel_shape", {}));
  if (own.rank() != static_cast<std::int64_t>(windows.window.size()) + 2)
    return graph.refuse(ErrorKind::invalid, "windows do not fit the tensor");
  if (!is_float(own.type)) return graph.refuse("windows of integers are not expressed");
  if (node.operation == "MaxPool") {
    if (graph.wants(node, 1)) return graph.refuse("places of maxima of windows are not expressed");
    return graph.out(node,
                     hlo_reduce_windows(graph, own, windows, "maximum", -std::numeric_limits<double>::infinity()));
  }
  const HloValue x = graph.wide(own);
  const HloValue sum = hlo_reduce_windows(graph, x, windows, "add", 0);
  std::int64_t all = 1;
  for (const std::int64_t extent : windows.window) all *= extent;
  HloValue count = graph.scalar(x.type, static_cast<double>(all));
  if (graph.integer(node, "count_include_pad", 0) == 0)
    count = hlo_reduce_windows(graph, graph.splat_like(x, 1), windows, "add", 0);
  graph.out(node, graph.convert(graph.binary("divide", sum, count), own.type));
}

ASSAY_DETAIL_HEADER_INLINE void lower_convolution(StableHloGraph& graph, const GraphNode& node) {
  const TensorType type = graph.in(node, 0).type;
  const bool transposed = node.operation == "ConvTranspose";
  HloValue x = graph.unwidened(node, 0), w = graph.unwidened(node, 1);
  if (x.type != w.type) x = graph.in(node, 0), w = graph.in(node, 1);
  const auto dimensions = static_cast<std::size_t>(x.rank() - 2);
  const HloWindows own = hlo_windows(graph, node, HloExtents(w.extents.begin() + 2, w.extents.end()));
  const HloExtents more = graph.integers_of(node, "output_padding", HloExtents(dimensions, 0));
  const std::int64_t groups = graph.integer(node, "group", 1);
  HloExtents lhs_dilation(dimensions, 1), stride = own.stride;
  std::string padding;
  HloExtents extents{x.extents[0], transposed ? w.extents[1] * groups : w.extents[0]};
  std::string spatial;
  if (transposed) {
    lhs_dilation = own.stride;
    stride.assign(dimensions, 1);
    // Filters are read backwards; (inputs, outputs of a group) becomes (inputs of a group, outputs).
    for (std::size_t d = 0; d < dimensions; ++d) {
      HloExtents backwards;
      for (std::int64_t at = own.window[d] - 1; at >= 0; --at) backwards.push_back(at);
      if (own.window[d] > 1) w = graph.take(w, static_cast<std::int64_t>(d) + 2, backwards);
    }
    if (groups > 1) {
      HloExtents split{groups, w.extents[0] / groups, w.extents[1]}, order{1, 0, 2},
          joined{w.extents[0] / groups, groups * w.extents[1]};
      for (std::size_t d = 0; d < dimensions; ++d) {
        split.push_back(w.extents[d + 2]);
        joined.push_back(w.extents[d + 2]);
        order.push_back(static_cast<std::int64_t>(d) + 3);
      }
      w = graph.reshape(graph.transpose(graph.reshape(w, split), order), joined);
    }
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::int64_t reach = (own.window[d] - 1) * own.dilation[d];
    const std::int64_t before = transposed ? reach - own.before[d] : own.before[d];
    const std::int64_t after = transposed ? reach - own.after[d] + more[d] : own.after[d];
    padding += (d > 0 ? ", [" : "[") + std::to_string(before) + ", " + std::to_string(after) + "]";
    spatial += ", " + std::to_string(d);
    const std::int64_t all = (x.extents[d + 2] - 1) * lhs_dilation[d] + 1 + before + after;
    extents.push_back(all > reach ? (all - reach - 1) / stride[d] + 1 : 0);
  }
  const bool biased = graph.has(node, 2), narrow = is_float(type) && bits_of(type) < 32;
  const TensorType sums = biased && narrow ? TensorType::float32 : type;
  const std::string precision =
      graph.highest_precision() ? ", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
                                : "";
  HloValue y =
      graph.emit("stablehlo.convolution(" + x.name + ", " + w.name + ") dim_numbers = [b, f" + spatial + "]x[" +
                     (transposed ? "i, o" : "o, i") + spatial + "]->[b, f" + spatial + "], window = {stride = [" +
                     hlo_list(stride) + "], pad = [" + padding + "], lhs_dilate = [" + hlo_list(lhs_dilation) +
                     "], rhs_dilate = [" + hlo_list(own.dilation) +
                     "]} {batch_group_count = 1 : i64, feature_group_count = " + std::to_string(groups) + " : i64" +
                     precision + "} : (" + hlo_type(x) + ", " + hlo_type(w) + ") -> " + hlo_type(sums, extents),
                 sums, extents);
  if (biased) {
    const HloValue bias = graph.convert(graph.in(node, 2), sums);
    y = graph.convert(graph.binary("add", y, graph.spread(bias, {1}, extents)), type);
  }
  graph.out(node, y);
}

/// What an output position reads along one dimension.
struct HloTap {
  std::int64_t place;
  double weight;
};
[[nodiscard]] inline std::vector<HloTap> hlo_taps(const std::string& mode, const std::string& nearest, double s,
                                                  double a, std::int64_t extent) {
  const auto kept = [&](double at) { return std::clamp(static_cast<std::int64_t>(at), std::int64_t{0}, extent - 1); };
  const double low = std::floor(s), t = s - low;
  if (mode == "nearest") {
    const double at = nearest == "floor"                ? low
                      : nearest == "ceil"               ? std::ceil(s)
                      : nearest == "round_prefer_floor" ? std::ceil(s - 0.5)
                                                        : std::floor(s + 0.5);
    return {{kept(at), 1}};
  }
  if (mode == "linear") return {{kept(low), 1 - t}, {kept(low + 1), t}};
  std::vector<HloTap> taps;
  for (int i = -1; i <= 2; ++i) {
    const double x = std::fabs(t - i);
    const double weight = x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    taps.push_back({kept(low + i), x < 2 ? weight : 0});
  }
  return taps;
}

ASSAY_DETAIL_HEADER_INLINE void lower_resize(StableHloGraph& graph, const GraphNode& node) {
  const HloValue own = graph.in(node, 0);
  const std::string mode = graph.text(node, "mode", "nearest"),
                    nearest = graph.text(node, "nearest_mode", "round_prefer_floor"),
                    coordinates = graph.text(node, "coordinate_transformation_mode", "half_pixel");
  const HloExtents sizes = graph.list(node, 3);
  if (graph.integer(node, "antialias", 0) != 0) return graph.refuse("antialiasing is not expressed");
  if (static_cast<std::int64_t>(sizes.size()) != own.rank())
    return graph.refuse(ErrorKind::invalid, "sizes do not fit the tensor");
  HloValue x = mode == "nearest" ? own : graph.wide(own);
  for (std::size_t d = 2; d < sizes.size() && !graph.refused(); ++d) {
    const double n = static_cast<double>(x.extents[d]), m = static_cast<double>(sizes[d]);
    std::vector<HloExtents> places;
    std::vector<std::vector<double>> weights;
    for (std::int64_t o = 0; o < sizes[d]; ++o) {
      const auto at = static_cast<double>(o);
      const double s = coordinates == "half_pixel"      ? ((2 * at + 1) * n - m) / (2 * m)
                       : coordinates == "align_corners" ? (m > 1 ? at * (n - 1) / (m - 1) : 0)
                                                        : at * n / m;
      const auto taps = hlo_taps(mode, nearest, s, graph.real(node, "cubic_coeff_a", -0.75), x.extents[d]);
      places.resize(taps.size());
      weights.resize(taps.size());
      for (std::size_t tap = 0; tap < taps.size(); ++tap) {
        places[tap].push_back(taps[tap].place);
        weights[tap].push_back(taps[tap].weight);
      }
    }
    const auto axis = static_cast<std::int64_t>(d);
    if (mode == "nearest") {
      x = graph.take(x, axis, places.at(0));
      continue;
    }
    HloValue sum;
    for (std::size_t tap = 0; tap < places.size(); ++tap) {
      HloExtents along(sizes.size(), 1);
      along[d] = sizes[d];
      const HloValue weight = graph.constant(tensor_of_values("", x.type, along, weights[tap]));
      // What has no weight is not read: it may be infinite.
      const HloValue taken = graph.take(x, axis, places[tap]);
      const HloValue product = graph.select(graph.compare("EQ", weight, graph.scalar(x.type, 0)),
                                            graph.splat_like(taken, 0), graph.binary("multiply", taken, weight));
      sum = tap == 0 ? product : graph.binary("add", sum, product);
    }
    x = sum;
  }
  graph.out(node, graph.convert(x, own.type));
}

ASSAY_DETAIL_HEADER_INLINE HloLowering image_lowering(const std::string& operation) {
  static const std::map<std::string, HloLowering> all{{"MaxPool", lower_pooling},
                                                      {"AveragePool", lower_pooling},
                                                      {"Conv", lower_convolution},
                                                      {"ConvTranspose", lower_convolution},
                                                      {"Resize", lower_resize}};
  const auto found = all.find(operation);
  return found != all.end() ? found->second : nullptr;
}

}  // namespace assay::inline v0::detail
