#pragma once

#include "assay/frameworks/detail/torch_layout.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/eager_compositions.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void torch_transpose(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  EagerExtents reversed;
  for (std::int64_t d = x.rank() - 1; d >= 0; --d) reversed.push_back(d);
  graph.out(node, graph.compute("aten::permute", {x, integers_of(node, "perm", reversed)}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_concat(TorchGraph& graph, const GraphNode& node) {
  std::vector<EagerTensor> parts;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) parts.push_back(graph.in(node, i));
  if (parts.empty()) return graph.refuse(ErrorKind::invalid, "Concat of nothing");
  graph.out(node, graph.compute("aten::cat", {parts, graph.axis(node, parts[0], 0)}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_slice(TorchGraph& graph, const GraphNode& node) {
  EagerTensor x = graph.in(node, 0);
  const EagerExtents starts = graph.list(node, 1), ends = graph.list(node, 2), axes = graph.list(node, 3),
                     steps = graph.list(node, 4);
  for (std::size_t i = 0; i < axes.size() && !graph.refused(); ++i) {
    const std::int64_t step = steps.at(i);
    if (axes[i] < 0 || axes[i] >= x.rank())
      return graph.refuse("slices along axes counted from the end are not mapped");
    if (step > 0) {
      x = graph.compute("aten::slice.Tensor", {x, axes[i], maybe(starts.at(i)), maybe(ends.at(i)), step});
      continue;
    }
    // aten::slice takes no steps backwards.
    const std::int64_t extent = x.extents[static_cast<std::size_t>(axes[i])];
    const auto kept = [&](std::int64_t at) {
      if (at < 0 && at != INT64_MIN) at += extent;
      return std::clamp<std::int64_t>(at, -1, extent - 1);
    };
    EagerExtents places;
    for (std::int64_t at = kept(starts.at(i)), end = kept(ends.at(i)); step < 0 && at > end; at += step)
      places.push_back(at);
    x = graph.compute("aten::index_select", {x, axes[i], graph.integers(places)});
  }
  graph.out(node, x);
}

ASSAY_DETAIL_HEADER_INLINE void torch_pad(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0);
  const EagerExtents pads = graph.list(node, 1);
  const std::string mode = text_of(node, "mode", "constant");
  if (graph.refused()) return;
  const auto rank = static_cast<std::size_t>(x.rank());
  if (pads.size() != 2 * rank || has_input(node, 3)) return graph.refuse("padding of some axes only is not mapped");
  std::size_t first = 0;  // axis that is padded
  while (first < rank && pads[first] == 0 && pads[rank + first] == 0) ++first;
  EagerExtents own;  // from the last axis on
  for (std::size_t d = rank; d-- > first;) own.insert(own.end(), {pads[d], pads[rank + d]});
  if (mode == "constant") {
    double value = 0;
    if (has_input(node, 2)) {
      const auto given = graph.fetched(graph.in(node, 2));
      if (graph.refused()) return;
      if (given.size() != 1 || !element_format_of(given.type)) return graph.refuse("such padding is not mapped");
      value = value_at(given, 0);
    }
    return graph.out(node, graph.compute("aten::pad", {x, own, "constant", maybe(value)}));
  }
  if (mode != "edge" && mode != "reflect") return graph.refuse("padding in mode " + mode + " is not mapped");
  if (own.empty()) return graph.out(node, x);
  // PyTorch pads one to three axes behind two that it does not.
  const std::size_t behind = rank - first;
  if (behind > 3) return graph.refuse("PyTorch pads the last three axes at most other than with a number");
  EagerExtents flat{1, 1}, result = x.extents;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d < first)
      flat[1] *= x.extents[d];
    else
      flat.push_back(x.extents[d]);
    result[d] += pads[d] + pads[rank + d];
  }
  const EagerTensor padded = graph.compute(
      "aten::pad", {graph.reshape(x, flat), own, mode == "edge" ? "replicate" : "reflect", TorchArgument()});
  graph.out(node, graph.reshape(padded, result));
}

/// A list of one tensor of places, as aten::index takes it: places below 0 count from the end.
[[nodiscard]] inline TorchArgument torch_places(const std::vector<EagerTensor>& places) {
  TorchArgument list(places);
  list.optional_members = true;
  return list;
}

ASSAY_DETAIL_HEADER_INLINE void torch_gather(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor x = graph.in(node, 0), places = graph.in(node, 1);
  if (graph.axis(node, x, 0) != 0 || places.rank() != 1)
    return graph.refuse("gathering along other than the first axis, at other than a list, is not mapped");
  graph.out(node, graph.compute("aten::index.Tensor", {x, torch_places({places})}));
}

ASSAY_DETAIL_HEADER_INLINE void torch_scatter(TorchGraph& graph, const GraphNode& node) {
  const EagerTensor base = graph.in(node, 0), places = graph.in(node, 1), source = graph.in(node, 2);
  if (text_of(node, "reduction", "none") != "add" || places.rank() != 2 || places.extents[1] != 1)
    return graph.refuse("scattering that does not add rows is not mapped");
  const EagerTensor rows = graph.reshape(places, {places.extents[0]});
  graph.out(node, graph.compute("aten::index_put", {base, torch_places({rows}), source, true}));
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator torch_layout(const std::string& operation) {
  static const EagerTable all{{"Transpose", {torch_mapping<torch_transpose>, "perm"}},
                              {"Concat", {torch_mapping<torch_concat>, "axis"}},
                              {"Slice", {torch_mapping<torch_slice>}},
                              {"Pad", {torch_mapping<torch_pad>, "mode"}},
                              {"Gather", {torch_mapping<torch_gather>, "axis"}},
                              {"ScatterND", {torch_mapping<torch_scatter>, "reduction"}},
                              {"ConstantOfShape", {compose_zeros}}};
  return row_of(all, operation);
}

}  // namespace assay::inline v0::detail
