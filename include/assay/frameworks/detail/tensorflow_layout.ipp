#pragma once

#include "assay/frameworks/detail/tensorflow_layout.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void tensorflow_transpose(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  EagerExtents reversed;
  for (std::int64_t d = x.rank() - 1; d >= 0; --d) reversed.push_back(d);
  graph.out(node, graph.transpose(x, integers_of(node, "perm", reversed)));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_concat(TensorFlowGraph& graph, const GraphNode& node) {
  TensorFlowCall call{"ConcatV2", {}, {}, true, 1};
  for (std::size_t i = 0; i < node.inputs.size(); ++i) call.inputs.push_back(graph.in(node, i));
  if (call.inputs.empty()) return graph.refuse(ErrorKind::invalid, "Concat of nothing");
  const std::int64_t axis = graph.axis(node, call.inputs[0], 0);
  call.inputs.push_back(graph.scalar(TensorType::int32, static_cast<double>(axis)));
  if (call.inputs.size() == 2) return graph.out(node, call.inputs[0]);  // it takes two at least
  graph.out(node, graph.compute_all(call)[0]);
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_slice(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents starts = graph.list(node, 1), ends = graph.list(node, 2), axes = graph.list(node, 3),
                     steps = graph.list(node, 4);
  if (graph.refused()) return;
  EagerExtents begin(x.extents.size(), 0), end = x.extents, stride(x.extents.size(), 1);
  std::int64_t whole = 0;  // axes whose slices end where they do
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= x.rank())
      return graph.refuse("slices along axes counted from the end are not mapped");
    const auto d = static_cast<std::size_t>(axes[i]);
    begin[d] = starts.at(i);
    end[d] = ends.at(i);
    stride[d] = steps.at(i);
    if (end[d] == INT64_MIN || end[d] == INT64_MAX) {
      whole |= std::int64_t{1} << d;
      end[d] = 0;
    }
  }
  graph.out(node, graph.compute("StridedSlice", {x, graph.integers(begin), graph.integers(end), graph.integers(stride)},
                                {{"end_mask", whole}}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_pad(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents pads = graph.list(node, 1);
  const std::string mode = text_of(node, "mode", "constant");
  if (graph.refused()) return;
  const auto rank = static_cast<std::size_t>(x.rank());
  if (pads.size() != 2 * rank || has_input(node, 3)) return graph.refuse("padding of some axes only is not mapped");
  EagerExtents both;
  for (std::size_t d = 0; d < rank; ++d) both.insert(both.end(), {pads[d], pads[rank + d]});
  const EagerTensor paddings = graph.reshape(graph.integers(both), {x.rank(), 2});
  if (mode == "constant") {
    const EagerTensor value = has_input(node, 2) ? graph.in(node, 2) : graph.scalar(x.type, 0);
    return graph.out(node, graph.compute("PadV2", {x, paddings, value}));
  }
  if (mode != "reflect") return graph.refuse("TensorFlow has no padding in mode " + mode);
  graph.out(node, graph.compute("MirrorPad", {x, paddings}, {{"mode", "REFLECT"}}));
}

/// Places below 0 count from the end in ONNX, and are out of range for TensorFlow.
[[nodiscard]] inline EagerTensor tensorflow_places(TensorFlowGraph& graph, const EagerTensor& places,
                                                   std::int64_t extent) {
  const EagerTensor below = graph.compute("Less", {places, graph.scalar(places.type, 0)});
  const EagerTensor from_end = graph.compute("AddV2", {places, graph.scalar(places.type, static_cast<double>(extent))});
  return graph.compute("SelectV2", {below, from_end, places});
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_gather(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0), places = graph.in(node, 1);
  const std::int64_t axis = graph.axis(node, x, 0);
  if (graph.refused()) return;
  const EagerTensor own = tensorflow_places(graph, places, x.extents[static_cast<std::size_t>(axis)]);
  graph.out(node, graph.compute("GatherV2", {x, own, graph.scalar(TensorType::int32, static_cast<double>(axis))}));
}

ASSAY_DETAIL_HEADER_INLINE void tensorflow_scatter(TensorFlowGraph& graph, const GraphNode& node) {
  const EagerTensor base = graph.in(node, 0), places = graph.in(node, 1);
  if (graph.refused()) return;
  if (text_of(node, "reduction", "none") != "add" || places.rank() != 2 || places.extents[1] != 1 || base.rank() < 1)
    return graph.refuse("scattering that does not add rows is not mapped");
  graph.out(node, graph.compute("TensorScatterAdd",
                                {base, tensorflow_places(graph, places, base.extents[0]), graph.in(node, 2)}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator tensorflow_layout(const std::string& operation) {
  static const EagerTable all{{"Transpose", {tensorflow_mapping<tensorflow_transpose>, "perm"}},
                              {"Concat", {tensorflow_mapping<tensorflow_concat>, "axis"}},
                              {"Slice", {tensorflow_mapping<tensorflow_slice>}},
                              {"Pad", {tensorflow_mapping<tensorflow_pad>, "mode"}},
                              {"Gather", {tensorflow_mapping<tensorflow_gather>, "axis"}},
                              {"ScatterND", {tensorflow_mapping<tensorflow_scatter>, "reduction"}},
                              {"ConstantOfShape", {compose_zeros}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
