#pragma once

#include <string>
#include <vector>

#include "assay/collectives/model/topology.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Clusters of H100 nodes as `h100_nodes` has them, wired in different ways.
/// A fat tree whose upper links carry 1/`oversubscription` of what enters: 1 is non-blocking. Misuse: below 1.
[[nodiscard]] Topology fat_tree(Index nodes, double oversubscription = 1);
/// Rails: adapter i of every node behind one switch, so that rings of equal rank never cross the spine. Collectives
/// whose ranks are laid out along rails see a non-blocking network.
[[nodiscard]] Topology rail_optimized(Index nodes);
/// Islands of `devices` behind NVSwitch, such as 72, joined by one NDR adapter a device.
[[nodiscard]] Topology nvswitch_islands(Index islands, Index devices);

/// A torus of chips with links to both neighbors of each dimension.
struct Torus {
  std::vector<Index> extents;  ///< chips along each dimension
  double link_bandwidth = 0;   ///< bytes a second in one direction
  double hop_seconds = 1e-6;   ///< latency from a chip to its neighbor, 0 or more

  /// The product of the extents.
  [[nodiscard]] Index chips() const noexcept;
};
/// Error `invalid`: no dimension, an extent below 1, a link without bandwidth.
[[nodiscard]] Result<void> check(const Torus& torus);
/// Seconds of an all-reduce of `bytes` on each chip: all dimensions at once, each a part of the data, by rings in both
/// directions: 2(n − 1)/n · bytes / (2 · dimensions · link), and 2 · (n − 1) hops of each dimension. Dimensions of one
/// chip do not count. Precondition: `check(torus)`.
[[nodiscard]] double torus_all_reduce_seconds(const Torus& torus, double bytes);
/// Seconds of an all-to-all in which each chip sends `bytes` in all: limited by the bisection of the longest dimension,
/// bytes · longest / (8 · link), a ring's mean distance being a quarter of it and a chip having two links along it.
[[nodiscard]] double torus_all_to_all_seconds(const Torus& torus, double bytes);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/cluster/cluster_topology.ipp"
#endif
