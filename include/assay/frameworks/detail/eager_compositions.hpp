#pragma once

#include "assay/frameworks/detail/eager_graph.hpp"

namespace assay::inline v0::detail {

/// Operators of ONNX that frameworks have not, from operators that they have: rotations, attention with its scores. In
/// float32 where the format is narrower.
void compose_rotary(EagerGraph& graph, const GraphNode& node);
void compose_attention(EagerGraph& graph, const GraphNode& node);
/// A constant of zeros.
void compose_zeros(EagerGraph& graph, const GraphNode& node);

/// What an image operator's windows are, over the spatial dimensions, which are the last ones.
struct EagerWindows {
  EagerExtents window, stride, dilation, before, after;

  [[nodiscard]] bool symmetric() const { return before == after; }
};
/// `window`: where the node does not tell. Refused where its lists are not of as many dimensions.
[[nodiscard]] EagerWindows windows_of(EagerGraph& graph, const GraphNode& node, const EagerExtents& window);

/// Refuses what of Attention has no mapping: a past, lengths, masks of truth values or that are too short, tensors
/// without heads, scores before their masks.
void check_attention(EagerGraph& graph, const GraphNode& node);
/// The factor of scores, told or 1/√depth.
[[nodiscard]] double attention_scale(const GraphNode& node, std::int64_t depth);
/// The scores of attention after scale, cap and masks, in float32 or float64.
[[nodiscard]] EagerTensor attention_scores(EagerGraph& graph, const GraphNode& node);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/eager_compositions.ipp"
#endif
