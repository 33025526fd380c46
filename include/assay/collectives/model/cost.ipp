#pragma once

#include "assay/collectives/model/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double seconds_of(const Cost& cost, const Topology& topology) {
  double seconds = topology.launch_seconds;
  for (std::size_t i = 0; i < cost.count; ++i) {
    const CostPhase& phase = cost.phases[i];
    seconds += phase.messages_inside * topology.inside.latency_seconds +
               phase.messages_between * topology.between.latency_seconds + phase.switch_seconds;
    seconds +=
        std::max(phase.bytes_inside / topology.inside.bandwidth(), phase.bytes_between / topology.node_bandwidth()) /
        phase.efficiency;
    if (topology.reduction_rate > 0) seconds += phase.bytes_reduced / topology.reduction_rate;
  }
  return seconds;
}

namespace detail {

/// ⌊lg n⌋ and ⌈lg n⌉. Precondition: n ≥ 1.
[[nodiscard]] constexpr int floor_lg(Index n) noexcept {
  int exponent = 0;
  while (n >>= 1) ++exponent;
  return exponent;
}

[[nodiscard]] constexpr int ceil_lg(Index n) noexcept {
  return n <= 1 ? 0 : floor_lg(n - 1) + 1;
}

[[nodiscard]] constexpr bool is_exchange(CollectiveOperation operation) noexcept {
  return operation == CollectiveOperation::all_to_all || operation == CollectiveOperation::all_to_all_v;
}

/// The whole vector goes from or to one rank.
[[nodiscard]] constexpr bool is_rooted_whole(CollectiveOperation operation) noexcept {
  return operation == CollectiveOperation::broadcast || operation == CollectiveOperation::reduce;
}

/// A block a rank goes from or to one rank.
[[nodiscard]] constexpr bool is_rooted_blocks(CollectiveOperation operation) noexcept {
  return operation == CollectiveOperation::gather || operation == CollectiveOperation::scatter;
}

/// 2(p−1)α + 2((p−1)/p)Sβ + ((p−1)/p)Sγ; of 2(p−1) messages, 2(N−1) leave a node. Broadcast and reduce are a pipelined
/// chain.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost ring_cost(CollectiveOperation operation, double bytes,
                                                        const Topology& topology) {
  const CostShape shape(topology);
  const OperationShare share = share_of(operation);
  CostPhase phase;
  phase.messages_between = share.halves * (shape.nodes - 1);
  phase.messages_inside = share.halves * (shape.ranks - 1) - phase.messages_between;
  const double part = is_rooted_whole(operation) ? 1 : (shape.ranks - 1) / shape.ranks;
  phase.bytes_inside = shape.devices > 1 || !shape.spread ? share.halves * part * bytes : 0;
  phase.bytes_between = shape.spread ? share.halves * part * bytes : 0;
  if (is_exchange(operation)) {  // each device sends a block to every other one
    phase.bytes_inside = (shape.devices - 1) / shape.ranks * bytes;
    phase.bytes_between = shape.devices * (shape.ranks - shape.devices) / shape.ranks * bytes;
  } else if (is_rooted_blocks(operation)) {
    phase.bytes_inside = (shape.devices - 1) / shape.ranks * bytes;
    phase.bytes_between = (shape.ranks - shape.devices) / shape.ranks * bytes;
  }
  if (share.reduced) phase.bytes_reduced = part * bytes;
  Cost cost;
  cost.add(phase);
  return cost;
}

/// 2·lg p·α + 2((p−1)/p)Sβ + ((p−1)/p)Sγ for powers of two p. Else the ranks beyond p' = 2^⌊lg p⌋ give their vectors to
/// partners before and receive them after: (2⌊lg p⌋+2)α + (2(p'−1)/p'+2)Sβ + (1+(p'−1)/p')Sγ. Partners are neighbors
/// first, so that most bytes stay inside of nodes.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost recursive_cost(CollectiveOperation operation, double bytes,
                                                             const Topology& topology) {
  const CostShape shape(topology);
  const OperationShare share = share_of(operation);
  const Index ranks = topology.ranks();
  const int steps = floor_lg(ranks), inside_steps = std::min(floor_lg(topology.devices), steps);
  const double folded = std::exp2(steps), folded_devices = std::exp2(inside_steps);
  Cost cost;
  if (static_cast<double>(ranks) != folded && !is_exchange(operation)) {
    CostPhase fold;
    (shape.devices > 1 ? fold.messages_inside : fold.messages_between) = share.halves;
    (shape.devices > 1 ? fold.bytes_inside : fold.bytes_between) = share.halves * bytes;
    if (share.reduced) fold.bytes_reduced = bytes;
    cost.add(fold);
  }
  CostPhase within, across;
  within.messages_inside = share.halves * inside_steps;
  within.bytes_inside = share.halves * (folded_devices - 1) / folded_devices * bytes;
  if (share.reduced) within.bytes_reduced = (folded_devices - 1) / folded_devices * bytes;
  if (inside_steps > 0) cost.add(within);
  across.messages_between = share.halves * (steps - inside_steps);
  across.bytes_between = share.halves * shape.devices * (1 / folded_devices - 1 / folded) * bytes;
  if (share.reduced) across.bytes_reduced = (1 / folded_devices - 1 / folded) * bytes;
  if (steps > inside_steps) cost.add(across);
  return cost;
}

/// 2[(g−1)α_inside + ⌈lg N⌉α_between] + 2Sβ/0.92 + Sγ: the form by which NCCL chooses, 0.92 being what it reaches.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost tree_cost(CollectiveOperation operation, double bytes,
                                                        const Topology& topology) {
  const CostShape shape(topology);
  const OperationShare share = share_of(operation);
  CostPhase phase;
  phase.messages_inside = share.halves * (shape.devices - 1);
  phase.messages_between = share.halves * ceil_lg(topology.nodes);
  phase.bytes_inside = shape.devices > 1 ? share.halves * bytes : 0;
  phase.bytes_between = shape.spread ? share.halves * bytes : 0;
  if (share.reduced) phase.bytes_reduced = bytes;
  phase.efficiency = 0.92;
  Cost cost;
  cost.add(phase);
  return cost;
}

/// ⌈lg p⌉(α + Sβ) up and the same down. Blocks of gather and scatter: ⌈lg p⌉α + ((p−1)/p)Sβ.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost binomial_cost(CollectiveOperation operation, double bytes,
                                                            const Topology& topology) {
  const CostShape shape(topology);
  const OperationShare share = share_of(operation);
  const double inside = ceil_lg(topology.devices), between = ceil_lg(topology.nodes);
  CostPhase within{share.halves * inside, 0, share.halves * inside * bytes, 0, share.reduced ? inside * bytes : 0};
  CostPhase across{0, share.halves * between, 0, share.halves * between * bytes, share.reduced ? between * bytes : 0};
  if (is_rooted_blocks(operation)) {
    within.bytes_inside = (shape.devices - 1) / shape.ranks * bytes;
    across.bytes_between = (shape.ranks - shape.devices) / shape.ranks * bytes;
  }
  Cost cost;
  cost.add(within);
  cost.add(across);
  return cost;
}

/// 2(g−1)α_inside + 2((g−1)/g)Sβ_inside, and between nodes the fastest of ring, recursive and tree on S/g a device.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost hierarchical_cost(CollectiveOperation operation, double bytes,
                                                                const Topology& topology) {
  const CostShape shape(topology);
  const OperationShare share = share_of(operation);
  CostPhase within;
  within.messages_inside = share.halves * (shape.devices - 1);
  within.bytes_inside = share.halves * (shape.devices - 1) / shape.devices * bytes;
  if (share.reduced) within.bytes_reduced = (shape.devices - 1) / shape.devices * bytes;
  Cost cost;
  if (shape.spread) {
    Topology across = flat_topology(topology.nodes, topology.between, 0, topology.reduction_rate);
    across.adapters = topology.adapters;
    const double sent = bytes;  // by all devices of a node, S/g each
    double fastest = std::numeric_limits<double>::infinity();
    const bool scattered =
        operation == CollectiveOperation::reduce_scatter || operation == CollectiveOperation::all_gather;
    for (const Cost& way : {ring_cost(operation, sent, across), recursive_cost(operation, sent, across),
                            tree_cost(operation, sent, across)}) {
      if (scattered && way.phases[0].efficiency != 1) continue;  // a tree
      if (seconds_of(way, across) >= fastest) continue;
      fastest = seconds_of(way, across);
      cost = way;
    }
    for (std::size_t i = 0; i < cost.count; ++i) cost.phases[i].bytes_reduced /= shape.devices;
  }
  cost.add(within);
  return cost;
}

/// Inside of one node each link carries S(1 + 1/g) in each direction for an all-reduce: all of S up to be reduced, with
/// S/g of the result, which comes down whole. Between nodes a node gives S up, S/g an adapter, and receives it once:
/// half of what a ring sends. Both are pipelined.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Cost in_network_cost(CollectiveOperation operation, double bytes,
                                                              const Topology& topology) {
  const CostShape shape(topology);
  CostPhase phase;
  const bool both = share_of(operation).halves == 2;
  if (shape.devices > 1) {
    phase.switch_seconds += topology.inside_switch.latency_seconds;
    phase.bytes_inside = (both ? 1 + 1 / shape.devices : 1) * bytes / topology.inside_switch.efficiency;
  }
  if (shape.spread) {
    phase.switch_seconds += topology.between_switch.latency_seconds;
    phase.messages_between = both ? 2 : 1;
    phase.bytes_between = bytes / topology.between_switch.efficiency;
  }
  Cost cost;
  cost.add(phase);
  return cost;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<Cost> cost_of(CostModel model, CollectiveOperation operation, double bytes,
                                                       const Topology& topology) {
  if (topology.ranks() == 1) return Cost{};
  if (operation == CollectiveOperation::barrier) bytes = 0;
  if (operation == CollectiveOperation::send_receive) {
    if (model != CostModel::ring) return std::nullopt;
    CostPhase phase;
    (topology.nodes > 1 ? phase.messages_between : phase.messages_inside) = 1;
    (topology.nodes > 1 ? phase.bytes_between : phase.bytes_inside) =
        bytes * static_cast<double>(topology.nodes > 1 ? topology.devices : 1);
    Cost cost;
    cost.add(phase);
    return cost;
  }
  const bool blocks = detail::is_exchange(operation) || detail::is_rooted_blocks(operation);
  const bool scattered =
      operation == CollectiveOperation::reduce_scatter || operation == CollectiveOperation::all_gather;
  switch (model) {
    case CostModel::ring: return detail::ring_cost(operation, bytes, topology);
    case CostModel::recursive:
      if (blocks || detail::is_rooted_whole(operation)) return std::nullopt;
      return detail::recursive_cost(operation, bytes, topology);
    case CostModel::tree:
      if (blocks || scattered) return std::nullopt;
      return detail::tree_cost(operation, bytes, topology);
    case CostModel::binomial:
      if (detail::is_exchange(operation) || scattered) return std::nullopt;
      return detail::binomial_cost(operation, bytes, topology);
    case CostModel::hierarchical:
      if (blocks || detail::is_rooted_whole(operation) || topology.nodes == 1 || topology.devices == 1)
        return std::nullopt;
      return detail::hierarchical_cost(operation, bytes, topology);
    case CostModel::in_network:
      if (blocks || (topology.devices > 1 && !topology.inside_switch.present) ||
          (topology.nodes > 1 && !topology.between_switch.present))
        return std::nullopt;
      return detail::in_network_cost(operation, bytes, topology);
  }
  return std::nullopt;
}

}  // namespace assay::inline v0
