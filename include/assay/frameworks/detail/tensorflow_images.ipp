#pragma once

#include "assay/frameworks/detail/tensorflow_images.hpp"

#include <cmath>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

/// TensorFlow's images have channels last, and two dimensions at least: a row has a plane of its own.
[[nodiscard]] inline EagerTensor channels_last(TensorFlowGraph& graph, const EagerTensor& x) {
  if (graph.refused()) return x;
  EagerTensor image = x;
  if (x.rank() == 3) image = graph.reshape(x, {x.extents[0], x.extents[1], 1, x.extents[2]});
  return graph.transpose(image, image.rank() == 4 ? EagerExtents{0, 2, 3, 1} : EagerExtents{0, 2, 3, 4, 1});
}
[[nodiscard]] inline EagerTensor channels_first(TensorFlowGraph& graph, const EagerTensor& y, bool row) {
  if (graph.refused()) return y;
  const EagerTensor image = graph.transpose(y, y.rank() == 4 ? EagerExtents{0, 3, 1, 2} : EagerExtents{0, 4, 1, 2, 3});
  return row ? graph.reshape(image, {image.extents[0], image.extents[1], image.extents[3]}) : image;
}

/// Numbers of spatial dimensions between those of images and channels, and of the plane of a row.
[[nodiscard]] inline EagerExtents around(const EagerExtents& spatial) {
  EagerExtents all{1};
  if (spatial.size() == 1) all.push_back(1);
  all.insert(all.end(), spatial.begin(), spatial.end());
  all.push_back(1);
  return all;
}
[[nodiscard]] inline EagerExtents explicit_padding(const EagerWindows& own) {
  EagerExtents all{0, 0};
  if (own.before.size() == 1) all.insert(all.end(), {0, 0});
  for (std::size_t d = 0; d < own.before.size(); ++d) all.insert(all.end(), {own.before[d], own.after[d]});
  all.insert(all.end(), {0, 0});
  return all;
}
[[nodiscard]] inline bool is_padded(const EagerWindows& own) {
  const EagerExtents none(own.before.size(), 0);
  return own.before != none || own.after != none;
}
/// Images with channels last, padded by a number.
[[nodiscard]] inline EagerTensor padded_image(TensorFlowGraph& graph, const EagerTensor& x, const EagerWindows& own,
                                              double value) {
  const EagerTensor pads = graph.reshape(graph.integers(explicit_padding(own)), {x.rank(), 2});
  return graph.compute("PadV2", {x, pads, graph.scalar(x.type, value)});
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_convolution(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0), w = graph.in(node, 1);
  if (graph.refused()) return;
  if (x.rank() < 3 || x.rank() != w.rank() || x.rank() > 5)
    return graph.refuse("convolutions in other than one to three dimensions are not mapped");
  const bool transposed = node.operation == "ConvTranspose", row = x.rank() == 3, solid = x.rank() == 5;
  const auto dimensions = static_cast<std::size_t>(x.rank() - 2);
  const EagerWindows own = windows_of(graph, node, EagerExtents(w.extents.begin() + 2, w.extents.end()));
  const EagerExtents more = integers_of(node, "output_padding", EagerExtents(dimensions, 0));
  if (more.size() != dimensions) graph.refuse(ErrorKind::invalid, "padding of outputs is of other dimensions");
  if (graph.refused()) return;
  const std::int64_t groups = integer_of(node, "group", 1);
  if (transposed && groups > 1) return graph.refuse("TensorFlow's transposed convolutions have no groups");
  EagerTensor image = channels_last(graph, x);
  EagerTensor filters = row ? graph.reshape(w, {w.extents[0], w.extents[1], 1, w.extents[2]}) : w;
  filters = graph.transpose(filters, solid ? EagerExtents{2, 3, 4, 1, 0} : EagerExtents{2, 3, 1, 0});
  std::vector<TensorFlowAttribute> attributes{{"strides", around(own.stride)}, {"dilations", around(own.dilation)}};
  if (solid || !is_padded(own)) {
    attributes.emplace_back("padding", "VALID");
  } else {
    attributes.emplace_back("padding", "EXPLICIT");
    attributes.emplace_back("explicit_paddings", explicit_padding(own));
  }
  EagerTensor y;
  if (transposed) {
    if (solid && is_padded(own)) return graph.refuse("TensorFlow's transposed convolutions of solids are not padded");
    EagerExtents result{x.extents[0]};
    if (row) result.push_back(1);
    for (std::size_t d = 0; d < dimensions; ++d)
      result.push_back((x.extents[d + 2] - 1) * own.stride[d] + (own.window[d] - 1) * own.dilation[d] + 1 -
                       own.before[d] - own.after[d] + more[d]);
    result.push_back(w.extents[1]);
    y = graph.compute(solid ? "Conv3DBackpropInputV2" : "Conv2DBackpropInput",
                      {graph.short_integers(result), filters, image}, attributes);
  } else {
    if (solid && is_padded(own)) image = padded_image(graph, image, own, 0);
    y = graph.compute(solid ? "Conv3D" : "Conv2D", {image, filters}, attributes);
  }
  if (has_input(node, 2)) {
    if (is_float(x.type) && bits_of(x.type) < 32)
      return graph.refuse("TensorFlow's convolutions have no bias, and their sums in 16 bits would be rounded twice");
    y = graph.compute("BiasAdd", {y, graph.in(node, 2)});
  }
  graph.out(node, channels_first(graph, y, row));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_pooling(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerWindows own = windows_of(graph, node, integers_of(node, "kernel_shape", {}));
  const auto dimensions = own.window.size();
  if (graph.refused()) return;
  if (dimensions < 1 || dimensions > 3 || x.extents.size() != dimensions + 2)
    return graph.refuse("pooling in other than one to three dimensions is not mapped");
  if (own.dilation != EagerExtents(dimensions, 1)) return graph.refuse("TensorFlow's pooling has no dilation");
  if (wants_output(node, 1)) return graph.refuse("places of maxima are not mapped");
  const bool solid = dimensions == 3, most = node.operation == "MaxPool";
  EagerTensor image = channels_last(graph, x);
  std::vector<TensorFlowAttribute> attributes{{"ksize", around(own.window)}, {"strides", around(own.stride)}};
  if (is_padded(own) && most && !solid) {
    attributes.emplace_back("padding", "EXPLICIT");
    attributes.emplace_back("explicit_paddings", explicit_padding(own));
  } else {
    attributes.emplace_back("padding", "VALID");
    if (is_padded(own)) {
      if (!most && integer_of(node, "count_include_pad", 0) == 0)
        return graph.refuse("TensorFlow's averages do not tell padding from zeros");
      if (most && !is_float(x.type)) return graph.refuse("padded pooling of solids of integers is not mapped");
      image = padded_image(graph, image, own, most ? -std::numeric_limits<double>::infinity() : 0);
    }
  }
  const std::string name = std::string(most ? "MaxPool" : "AvgPool") + (solid ? "3D" : "");
  graph.out(node, channels_first(graph, graph.compute(name.c_str(), {image}, attributes), dimensions == 1));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_resize(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const std::string mode = text_of(node, "mode", "nearest"),
                    nearest = text_of(node, "nearest_mode", "round_prefer_floor"),
                    coordinates = text_of(node, "coordinate_transformation_mode", "half_pixel");
  const EagerExtents sizes = graph.list(node, 3);
  if (graph.refused()) return;
  if (static_cast<std::int64_t>(sizes.size()) != x.rank() || x.rank() < 3 || x.rank() > 4)
    return graph.refuse("TensorFlow resizes in two dimensions");
  if (sizes[0] != x.extents[0] || sizes[1] != x.extents[1])
    return graph.refuse("resizing of images and channels is not mapped");
  if (integer_of(node, "antialias", 0) != 0) return graph.refuse("antialiasing is not mapped");
  const bool half = coordinates == "half_pixel", aligned = coordinates == "align_corners", row = x.rank() == 3;
  if (!half && !aligned && coordinates != "asymmetric") return graph.refuse("such coordinates are not mapped");
  const char* name = "ResizeNearestNeighbor";
  if (mode == "nearest") {
    if ((half && nearest != "round_prefer_ceil") || aligned || (!half && !aligned && nearest != "floor"))
      return graph.refuse("TensorFlow takes the nearest by asymmetric floor, or by half_pixel round_prefer_ceil");
  } else {
    name = mode == "linear" ? "ResizeBilinear" : "ResizeBicubic";
    if (x.type == TensorType::float64) return graph.refuse("TensorFlow's smooth resizing gives float32");
    const bool outside = integer_of(node, "exclude_outside", 0) != 0;
    if (mode == "cubic" &&
        (outside != half || std::abs(real_of(node, "cubic_coeff_a", -0.75) - (half ? -0.5 : -0.75)) > 1e-6))
      return graph.refuse("TensorFlow's ResizeBicubic has a = -0.5 without what is outside, else a = -0.75");
  }
  const EagerExtents size = row ? EagerExtents{1, sizes[2]} : EagerExtents{sizes[2], sizes[3]};
  const EagerTensor y = graph.compute(name, {channels_last(graph, x), graph.short_integers(size)},
                                      {{"align_corners", aligned}, {"half_pixel_centers", half}});
  graph.out(node, graph.convert(channels_first(graph, y, row), x.type));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator tensorflow_images(const std::string& operation) {
  constexpr const char* convolved = "kernel_shape strides dilations pads group output_padding";
  constexpr const char* resized =
      "mode coordinate_transformation_mode nearest_mode cubic_coeff_a antialias exclude_outside";
  constexpr auto convolution = tensorflow_mapping<tensorflow_convolution>,
                 pooling = tensorflow_mapping<tensorflow_pooling>;
  static const EagerTable all{{"Conv", {convolution, convolved}},
                              {"ConvTranspose", {convolution, convolved}},
                              {"MaxPool", {pooling, "kernel_shape strides dilations pads"}},
                              {"AveragePool", {pooling, "kernel_shape strides dilations pads count_include_pad"}},
                              {"Resize", {tensorflow_mapping<tensorflow_resize>, resized}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
