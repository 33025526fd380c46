#pragma once

#include "assay/frameworks/operations/image_graph.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/graph_builder.hpp"

namespace assay::inline v0 {

namespace detail {

/// The extents of images as they lie in memory, and as ONNX has them: channels first.
struct ImageExtents {
  GraphExtents stored, planar;
};
[[nodiscard]] inline ImageExtents image_extents(Index batch, Index channels, const GraphExtents& spatial, bool last) {
  ImageExtents image{{batch}, {batch, channels}};
  if (!last) image.stored.push_back(channels);
  for (const std::int64_t extent : spatial) {
    image.stored.push_back(extent);
    image.planar.push_back(extent);
  }
  if (last) image.stored.push_back(channels);
  return image;
}
/// Moves channels to the front, or back to the end, where they are stored last.
[[nodiscard]] inline std::string move_channels(GraphBuilder& graph, const std::string& x, int dimensions, bool last,
                                               bool to_front) {
  if (!last) return x;
  GraphExtents order{0};
  if (to_front) order.push_back(dimensions + 1);
  for (int d = 0; d < dimensions; ++d) order.push_back(to_front ? d + 1 : d + 2);
  if (!to_front) order.push_back(1);
  return graph.node("Transpose", {x}, {GraphAttribute("perm", order)});
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const PoolingProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  if (problem.backward) return failure(ErrorKind::unsupported, "ONNX has no operators for gradients of pooling");
  if (problem.adaptive) return failure(ErrorKind::unsupported, "ONNX's pooling has no adaptive windows");
  GraphExtents input, output, window, stride, dilation, pads, behind;
  Index plane = 1;
  for (int d = 0; d < problem.dimensions; ++d) {
    input.push_back(problem.input[d]);
    output.push_back(problem.output(d));
    window.push_back(problem.window[d]);
    stride.push_back(problem.stride[d]);
    dilation.push_back(problem.dilation[d]);
    pads.push_back(problem.padding_before[d]);
    behind.push_back(problem.padding_after[d]);
    plane *= problem.input[d];
    if (problem.uncounted_after[d] != 0)
      graph.refuse("padding that averages do not count is not expressed (ceil_mode)");
  }
  pads.insert(pads.end(), behind.begin(), behind.end());
  const bool last = problem.channels_last;
  const detail::ImageExtents from = detail::image_extents(problem.batch, problem.channels, input, last);
  const detail::ImageExtents to = detail::image_extents(problem.batch, problem.channels, output, last);
  const std::string x =
      detail::move_channels(graph, graph.input(0, problem.format, from.stored), problem.dimensions, last, true);
  std::vector<GraphAttribute> attributes{GraphAttribute("kernel_shape", window), GraphAttribute("strides", stride),
                                         GraphAttribute("pads", pads), GraphAttribute("dilations", dilation)};
  std::string y = "y";
  if (problem.kind == PoolingKind::average) {
    attributes.push_back(whole("count_include_pad", problem.include_padding ? 1 : 0));
    y = graph.node("AveragePool", {x}, attributes);
  } else {
    graph.open_for_nan("ONNX leaves open what its MaxPool makes of NaN");
    if (problem.indices) {
      graph.node_with("MaxPool", {x}, {"y", "places"}, attributes);
      // ONNX counts through images and channels, too.
      const std::string within =
          graph.node("Mod", {"places", graph.scalar(element_format<std::int64_t>(), static_cast<double>(plane))});
      const std::string moved = detail::move_channels(graph, within, problem.dimensions, last, false);
      graph.output(3, graph.cast(moved, element_format<std::int64_t>(), problem.index_format), problem.index_format,
                   to.stored);
    } else {
      y = graph.node("MaxPool", {x}, attributes);
    }
  }
  graph.output(2, detail::move_channels(graph, y, problem.dimensions, last, false), problem.format, to.stored);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const ResizeProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  if (problem.backward) return failure(ErrorKind::unsupported, "ONNX has no operator for the gradient of Resize");
  GraphExtents input(problem.input, problem.input + problem.dimensions);
  GraphExtents output(problem.output, problem.output + problem.dimensions);
  const bool last = problem.channels_last;
  const detail::ImageExtents from = detail::image_extents(problem.batch, problem.channels, input, last);
  const detail::ImageExtents to = detail::image_extents(problem.batch, problem.channels, output, last);
  const std::string x =
      detail::move_channels(graph, graph.input(0, problem.format, from.stored), problem.dimensions, last, true);
  if (problem.mode != ResizeMode::nearest) {
    if (!problem.format.is_float()) graph.refuse("ONNX leaves open how Resize rounds to integers");
    graph.open_for_nan("ONNX leaves open whether Resize reads what has no weight");
  }
  const char* const modes[] = {"nearest", "linear", "cubic"};
  const char* const coordinates[] = {"half_pixel", "align_corners", "asymmetric"};
  const char* const nearest[] = {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"};
  std::vector<GraphAttribute> attributes{
      GraphAttribute("mode", std::string(modes[static_cast<int>(problem.mode)])),
      GraphAttribute("coordinate_transformation_mode", std::string(coordinates[static_cast<int>(problem.coordinates)])),
      GraphAttribute("nearest_mode", std::string(nearest[static_cast<int>(problem.rounding)])),
      detail::fraction("cubic_coeff_a", problem.cubic_coefficient),
      whole("antialias", problem.antialias ? 1 : 0),
      whole("exclude_outside", problem.antialias ? 1 : 0)};
  const std::string y = graph.node("Resize", {x, "", "", graph.integers(to.planar)}, attributes);
  graph.output(1, detail::move_channels(graph, y, problem.dimensions, last, false), problem.format, to.stored);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const ConvolutionProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  if (problem.pass != ConvolutionPass::forward)
    return failure(ErrorKind::unsupported, "ONNX has no operators for gradients of convolutions");
  GraphExtents input, output, kernel, stride, dilation, pads, behind, more;
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    input.push_back(axis.input);
    output.push_back(axis.output(problem.transposed));
    kernel.push_back(axis.kernel);
    stride.push_back(axis.stride);
    dilation.push_back(axis.dilation);
    pads.push_back(axis.padding_before);
    behind.push_back(axis.padding_after);
    more.push_back(axis.output_padding);
  }
  pads.insert(pads.end(), behind.begin(), behind.end());
  const bool last = problem.layout == ConvolutionLayout::channels_last;
  const Index outer = problem.transposed ? problem.input_channels : problem.output_channels;
  const Index inner = (problem.transposed ? problem.output_channels : problem.input_channels) / problem.groups;
  const auto from = detail::image_extents(problem.batch, problem.input_channels, input, last);
  const auto to = detail::image_extents(problem.batch, problem.output_channels, output, last);
  const auto filters = detail::image_extents(outer, inner, kernel, last);
  const ElementFormat format = problem.input == problem.weights && problem.input == problem.output
                                   ? problem.input
                                   : detail::wide_format(problem.input, problem.output);
  const auto image = [&](int position, const ElementFormat& own, const GraphExtents& extents) {
    const std::string cast = graph.cast(graph.input(position, own, extents), own, format);
    return detail::move_channels(graph, cast, problem.dimensions, last, true);
  };
  std::vector<std::string> inputs{image(0, problem.input, from.stored), image(1, problem.weights, filters.stored)};
  if (problem.bias)
    inputs.push_back(graph.cast(graph.input(2, problem.weights, {problem.output_channels}), problem.weights, format));
  std::vector<GraphAttribute> attributes{GraphAttribute("kernel_shape", kernel), GraphAttribute("strides", stride),
                                         GraphAttribute("dilations", dilation), GraphAttribute("pads", pads),
                                         whole("group", problem.groups)};
  if (problem.transposed) attributes.emplace_back("output_padding", more);
  const std::string y = graph.node(problem.transposed ? "ConvTranspose" : "Conv", inputs, attributes);
  graph.output(3, graph.cast(detail::move_channels(graph, y, problem.dimensions, last, false), format, problem.output),
               problem.output, to.stored);
  return graph.finish();
}

}  // namespace assay::inline v0
