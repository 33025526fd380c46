#pragma once

#include "assay/fleet/cluster/cluster_topology.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Topology fat_tree(Index nodes, double oversubscription) {
  expect(oversubscription >= 1, [] { return std::string("fat_tree: an oversubscription is 1 or more"); });
  Topology topology = h100_nodes(nodes);
  topology.name = "fat tree";
  topology.between.line_rate /= oversubscription;
  topology.between_switch = {};
  return topology;
}

ASSAY_DETAIL_HEADER_INLINE Topology rail_optimized(Index nodes) {
  Topology topology = fat_tree(nodes);
  topology.name = "rail-optimized";
  return topology;
}

ASSAY_DETAIL_HEADER_INLINE Topology nvswitch_islands(Index islands, Index devices) {
  Topology topology = h100_nodes(islands);
  topology.name = "NVSwitch islands";
  topology.devices = devices;
  topology.adapters = devices;
  return topology;
}

ASSAY_DETAIL_HEADER_INLINE Index Torus::chips() const noexcept {
  Index count = 1;
  for (const Index extent : extents) count *= extent;
  return count;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const Torus& torus) {
  if (torus.extents.empty()) return failure(ErrorKind::invalid, "a torus has 1 dimension at least");
  for (const Index extent : torus.extents)
    if (extent < 1 || extent > (Index{1} << 20))
      return failure(ErrorKind::invalid, "a dimension of a torus has 1 to 2^20 chips");
  if (!(torus.link_bandwidth > 0) || !(torus.hop_seconds >= 0))
    return failure(ErrorKind::invalid, "a link takes more than 0 bytes a second, and a hop 0 s or more");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE double torus_all_reduce_seconds(const Torus& torus, double bytes) {
  double dimensions = 0, hops = 0;
  for (const Index extent : torus.extents)
    if (extent > 1) dimensions += 1, hops += 2 * static_cast<double>(extent - 1);
  if (dimensions == 0) return 0;
  const auto chips = static_cast<double>(torus.chips());
  return 2 * (chips - 1) / chips * bytes / (2 * dimensions * torus.link_bandwidth) + hops * torus.hop_seconds;
}

ASSAY_DETAIL_HEADER_INLINE double torus_all_to_all_seconds(const Torus& torus, double bytes) {
  const auto longest = static_cast<double>(*std::max_element(torus.extents.begin(), torus.extents.end()));
  double hops = 0;
  for (const Index extent : torus.extents) hops += static_cast<double>(extent / 2);
  if (torus.chips() == 1) return 0;
  return bytes * longest / (8 * torus.link_bandwidth) + hops * torus.hop_seconds;
}

}  // namespace assay::inline v0
