#pragma once

#include "assay/frameworks/detail/torch_images.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

/// "aten::max_pool" for two dimensions is "aten::max_pool2d".
[[nodiscard]] inline std::string of_dimensions(const char* name, std::size_t dimensions) {
  return name + std::to_string(dimensions) + "d";
}

/// Padding before and after each spatial dimension, by a number.
[[nodiscard]] inline EagerTensor torch_padded(TorchGraph& graph, const EagerTensor& x, const EagerWindows& own,
                                              double value) {
  EagerExtents pads;  // from the last axis on
  for (std::size_t d = own.before.size(); d-- > 0;) pads.insert(pads.end(), {own.before[d], own.after[d]});
  return graph.compute("aten::pad", {x, pads, "constant", maybe(value)});
}

ASSAY_DETAIL_HEADER_INLINE void torch_convolution(TorchGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  const EagerTensor w = graph.in(node, 1);
  if (graph.refused()) return;
  if (x.rank() < 3 || x.rank() != w.rank() || x.rank() > 5)
    return graph.refuse("convolutions in other than one to three dimensions are not mapped");
  const bool transposed = node.operation == "ConvTranspose";
  const auto dimensions = static_cast<std::size_t>(x.rank() - 2);
  EagerWindows own = windows_of(graph, node, EagerExtents(w.extents.begin() + 2, w.extents.end()));
  const EagerExtents more = integers_of(node, "output_padding", EagerExtents(dimensions, 0));
  if (more.size() != dimensions) graph.refuse(ErrorKind::invalid, "padding of outputs is of other dimensions");
  if (graph.refused()) return;
  const std::int64_t groups = integer_of(node, "group", 1);
  const bool cut = transposed && !own.symmetric();
  EagerExtents padding = own.before;
  if (!own.symmetric()) {
    padding.assign(dimensions, 0);
    if (!transposed) x = torch_padded(graph, x, own, 0);
  }
  const TorchArgument bias = has_input(node, 2) ? maybe(graph.in(node, 2)) : TorchArgument();
  EagerTensor y = graph.compute("aten::convolution", {x, w, bias, own.stride, padding, own.dilation, transposed,
                                                      cut ? EagerExtents(dimensions, 0) : more, groups});
  // PyTorch cuts the same from both ends.
  for (std::size_t d = 0; cut && d < dimensions && !graph.refused(); ++d) {
    const std::int64_t length = y.extents[d + 2] - own.before[d] - own.after[d] + more[d];
    if (more[d] > own.after[d]) return graph.refuse("PyTorch cuts the same from both ends of transposed convolutions");
    y = graph.compute("aten::narrow", {y, static_cast<std::int64_t>(d + 2), own.before[d], length});
  }
  graph.out(node, y);
}

ASSAY_DETAIL_HEADER_INLINE void torch_max_pool(TorchGraph& graph, EagerTensor x, const GraphNode& node,
                                               EagerWindows own) {
  const auto dimensions = own.window.size();
  bool padded_elsewhere = !own.symmetric();
  for (std::size_t d = 0; d < dimensions; ++d) padded_elsewhere |= own.before[d] > own.window[d] / 2;
  EagerExtents padding = own.before;
  if (padded_elsewhere) {
    if (wants_output(node, 1) || !is_float(x.type))
      return graph.refuse("PyTorch pads both ends alike, by at most half a window");
    x = torch_padded(graph, x, own, -std::numeric_limits<double>::infinity());
    padding.assign(dimensions, 0);
  }
  const std::vector<TorchArgument> arguments{x, own.window, own.stride, padding, own.dilation, false};
  if (!wants_output(node, 1))
    return graph.out(node, graph.compute(of_dimensions("aten::max_pool", dimensions), arguments));
  const auto both = graph.compute(of_dimensions("aten::max_pool", dimensions) + "_with_indices", arguments, 2);
  graph.out(node, both[0]);
  if (graph.refused()) return;
  // PyTorch counts places within a plane, ONNX through planes and images, too.
  std::vector<double> planes;
  double plane = 1;
  for (std::size_t d = 2; d < x.extents.size(); ++d) plane *= static_cast<double>(x.extents[d]);
  for (std::int64_t i = 0; i < x.extents[0] * x.extents[1]; ++i) planes.push_back(static_cast<double>(i) * plane);
  EagerExtents per_plane(x.extents.size(), 1);
  per_plane[0] = x.extents[0];
  per_plane[1] = x.extents[1];
  const EagerTensor offsets = graph.constant(tensor_of_values("", TensorType::int64, per_plane, planes));
  graph.out(node, graph.add(both[1], offsets, false), 1);
}

ASSAY_DETAIL_HEADER_INLINE void torch_pooling(TorchGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  const EagerWindows own = windows_of(graph, node, integers_of(node, "kernel_shape", {}));
  const auto dimensions = own.window.size();
  if (graph.refused()) return;
  if (dimensions < 1 || dimensions > 3 || x.extents.size() != dimensions + 2)
    return graph.refuse("pooling in other than one to three dimensions is not mapped");
  if (node.operation == "MaxPool") return torch_max_pool(graph, x, node, own);
  if (own.dilation != EagerExtents(dimensions, 1)) return graph.refuse("PyTorch's averages have no dilation");
  bool counted = integer_of(node, "count_include_pad", 0) != 0;
  EagerExtents padding = own.before;
  bool padded_elsewhere = !own.symmetric();
  for (std::size_t d = 0; d < dimensions; ++d) padded_elsewhere |= own.before[d] > own.window[d] / 2;
  if (padded_elsewhere) {
    if (!counted) return graph.refuse("PyTorch pads both ends alike, by at most half a window");
    x = torch_padded(graph, x, own, 0);
    padding.assign(dimensions, 0);
  }
  std::vector<TorchArgument> arguments{x, own.window, own.stride, padding, false, counted};
  if (dimensions > 1) arguments.emplace_back();
  graph.out(node, graph.compute(of_dimensions("aten::avg_pool", dimensions), arguments));
}

ASSAY_DETAIL_HEADER_INLINE void torch_resize(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::string mode = text_of(node, "mode", "nearest"),
                    nearest = text_of(node, "nearest_mode", "round_prefer_floor"),
                    coordinates = text_of(node, "coordinate_transformation_mode", "half_pixel");
  const EagerExtents sizes = graph.list(node, 3);
  if (graph.refused()) return;
  if (static_cast<std::int64_t>(sizes.size()) != x.rank() || x.rank() < 3 || x.rank() > 5)
    return graph.refuse("resizing in other than one to three dimensions is not mapped");
  if (sizes[0] != x.extents[0] || sizes[1] != x.extents[1])
    return graph.refuse("resizing of images and channels is not mapped");
  const std::size_t dimensions = sizes.size() - 2;
  const TorchArgument size = maybe(EagerExtents(sizes.begin() + 2, sizes.end()));
  const bool smooth = integer_of(node, "antialias", 0) != 0, aligned = coordinates == "align_corners";
  const double a = real_of(node, "cubic_coeff_a", -0.75);
  if (mode == "nearest") {
    if (coordinates == "asymmetric" && nearest == "floor")
      return graph.out(node, graph.compute(of_dimensions("aten::upsample_nearest", dimensions) + ".vec",
                                           {x, size, TorchArgument()}));
    if (coordinates == "half_pixel" && nearest == "round_prefer_ceil")
      return graph.out(node, graph.compute(of_dimensions("aten::_upsample_nearest_exact", dimensions) + ".vec",
                                           {x, size, TorchArgument()}));
    return graph.refuse("PyTorch takes the nearest by asymmetric floor, or by half_pixel round_prefer_ceil");
  }
  if (coordinates != "half_pixel" && !aligned)
    return graph.refuse("PyTorch's coordinates are half_pixel or align_corners");
  std::string name = mode == "cubic" ? "aten::upsample_bicubic2d" : "aten::upsample_trilinear3d";
  if (mode == "linear" && dimensions < 3)
    name = dimensions == 2 ? "aten::upsample_bilinear2d" : "aten::upsample_linear1d";
  if (mode == "cubic" && (dimensions != 2 || std::abs(a - (smooth ? -0.5 : -0.75)) > 1e-6))
    return graph.refuse("PyTorch's bicubic functions are of two dimensions, with a = -0.75, or -0.5 where they smooth");
  if (smooth) {
    if (dimensions != 2) return graph.refuse("PyTorch smooths in two dimensions only");
    name = mode == "cubic" ? "aten::_upsample_bicubic2d_aa" : "aten::_upsample_bilinear2d_aa";
  }
  graph.out(node, graph.compute(name + ".vec", {x, size, aligned, TorchArgument()}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator torch_images(const std::string& operation) {
  constexpr const char* convolved = "kernel_shape strides dilations pads group output_padding";
  constexpr const char* resized =
      "mode coordinate_transformation_mode nearest_mode cubic_coeff_a antialias exclude_outside";
  constexpr auto convolution = torch_mapping<torch_convolution>, pooling = torch_mapping<torch_pooling>;
  static const EagerTable all{{"Conv", {convolution, convolved}},
                              {"ConvTranspose", {convolution, convolved}},
                              {"MaxPool", {pooling, "kernel_shape strides dilations pads"}},
                              {"AveragePool", {pooling, "kernel_shape strides dilations pads count_include_pad"}},
                              {"Resize", {torch_mapping<torch_resize>, resized}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
