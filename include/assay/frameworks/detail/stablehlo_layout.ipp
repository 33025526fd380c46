#pragma once

#include "assay/frameworks/detail/stablehlo_layout.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void lower_transpose(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0);
  HloExtents reversed;
  for (std::int64_t d = x.rank() - 1; d >= 0; --d) reversed.push_back(d);
  graph.out(node, graph.transpose(x, graph.integers_of(node, "perm", reversed)));
}

ASSAY_DETAIL_HEADER_INLINE void lower_concat(StableHloGraph& graph, const GraphNode& node) {
  std::vector<HloValue> parts;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) parts.push_back(graph.in(node, i));
  graph.out(node, graph.concatenate(parts, graph.axis(node, parts.at(0), 0)));
}

ASSAY_DETAIL_HEADER_INLINE void lower_slice(StableHloGraph& graph, const GraphNode& node) {
  HloValue x = graph.in(node, 0);
  const HloExtents starts = graph.list(node, 1), ends = graph.list(node, 2), axes = graph.list(node, 3),
                   steps = graph.list(node, 4);
  for (std::size_t i = 0; i < axes.size() && !graph.refused(); ++i) {
    const std::int64_t extent = x.extents.at(static_cast<std::size_t>(axes[i])), step = steps.at(i);
    const auto kept = [&](std::int64_t at) {
      if (at < 0 && at != INT64_MIN) at += extent;
      return step > 0 ? std::clamp<std::int64_t>(at, 0, extent) : std::clamp<std::int64_t>(at, -1, extent - 1);
    };
    HloExtents places;
    for (std::int64_t at = kept(starts.at(i)), end = kept(ends.at(i)); step > 0 ? at < end : at > end; at += step)
      places.push_back(at);
    if (static_cast<std::int64_t>(places.size()) != extent || step != 1) x = graph.take(x, axes[i], places);
  }
  graph.out(node, x);
}

ASSAY_DETAIL_HEADER_INLINE void lower_pad(StableHloGraph& graph, const GraphNode& node) {
  HloValue x = graph.in(node, 0);
  const HloExtents pads = graph.list(node, 1);
  const auto rank = static_cast<std::size_t>(x.rank());
  const std::string mode = graph.text(node, "mode", "constant");
  if (pads.size() != 2 * rank) return graph.refuse("padding of some axes only is not expressed");
  if (mode == "constant") {
    const HloValue value = graph.has(node, 2) ? graph.in(node, 2) : graph.scalar(x.type, 0);
    HloExtents extents = x.extents, before(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank)),
               after(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    for (std::size_t d = 0; d < rank; ++d) extents[d] += before[d] + after[d];
    graph.out(node, graph.emit("stablehlo.pad " + x.name + ", " + value.name + ", low = [" + hlo_list(before) +
                                   "], high = [" + hlo_list(after) + "], interior = [" + hlo_list(HloExtents(rank, 0)) +
                                   "] : (" + hlo_type(x) + ", " + hlo_type(value) + ") -> " + hlo_type(x.type, extents),
                               x.type, extents));
    return;
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extent = x.extents[d], period = std::max<std::int64_t>(2 * (extent - 1), 1);
    HloExtents places;
    for (std::int64_t at = -pads[d]; at < extent + pads[rank + d]; ++at) {
      const std::int64_t within = ((at % period) + period) % period;
      places.push_back(mode == "edge"    ? std::clamp<std::int64_t>(at, 0, extent - 1)
                       : within < extent ? within
                                         : period - within);
    }
    if (static_cast<std::int64_t>(places.size()) != extent) x = graph.take(x, static_cast<std::int64_t>(d), places);
  }
  graph.out(node, x);
}

/// Places below 0 count from the end in ONNX; StableHLO would move them to the first.
[[nodiscard]] inline HloValue hlo_places_from_end(StableHloGraph& graph, const HloValue& places, std::int64_t extent) {
  const HloValue below = graph.compare("LT", places, graph.scalar(places.type, 0));
  const HloValue from_end = graph.binary("add", places, graph.scalar(places.type, static_cast<double>(extent)));
  return graph.select(below, from_end, places);
}

ASSAY_DETAIL_HEADER_INLINE void lower_gather(StableHloGraph& graph, const GraphNode& node) {
  const HloValue x = graph.in(node, 0), places = graph.in(node, 1);
  if (places.rank() != 1) return graph.refuse("gathering at other than a list of places is not expressed");
  const std::int64_t axis = graph.axis(node, x, 0);
  if (graph.refused()) return;
  const std::int64_t extent = x.extents[static_cast<std::size_t>(axis)];
  graph.out(node, graph.gather(x, axis, hlo_places_from_end(graph, places, extent)));
}

ASSAY_DETAIL_HEADER_INLINE void lower_scatter(StableHloGraph& graph, const GraphNode& node) {
  const HloValue base = graph.in(node, 0), source = graph.in(node, 2);
  if (graph.text(node, "reduction", "none") != "add" || base.rank() != 2)
    return graph.refuse("scattering that does not add rows is not expressed");
  const HloValue places = hlo_places_from_end(graph, graph.in(node, 1), base.extents[0]);
  const std::string scalar = hlo_type(base.type, {}), a = graph.fresh(), b = graph.fresh(), sum = graph.fresh();
  graph.out(node, graph.emit("\"stablehlo.scatter\"(" + base.name + ", " + places.name + ", " + source.name +
                                 ") <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
                                 "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = "
                                 "1>, indices_are_sorted = false, unique_indices = false}> ({ ^bb0(" +
                                 a + ": " + scalar + ", " + b + ": " + scalar + "): " + sum + " = stablehlo.add " + a +
                                 ", " + b + " : " + scalar + " stablehlo.return " + sum + " : " + scalar + " }) : (" +
                                 hlo_type(base) + ", " + hlo_type(places) + ", " + hlo_type(source) + ") -> " +
                                 hlo_type(base),
                             base.type, base.extents));
}

ASSAY_DETAIL_HEADER_INLINE void lower_zeros(StableHloGraph& graph, const GraphNode& node) {
  graph.out(node, graph.splat(TensorType::float32, graph.list(node, 0), 0));
}

ASSAY_DETAIL_HEADER_INLINE HloLowering layout_lowering(const std::string& operation) {
  static const std::map<std::string, HloLowering> all{
      {"Transpose", lower_transpose}, {"Concat", lower_concat},     {"Slice", lower_slice},          {"Pad", lower_pad},
      {"Gather", lower_gather},       {"ScatterND", lower_scatter}, {"ConstantOfShape", lower_zeros}};
  const auto found = all.find(operation);
  return found != all.end() ? found->second : nullptr;
}

}  // namespace assay::inline v0::detail
