#pragma once

#include <string>

#include "assay/collectives/model/link.hpp"
#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Switches that add up what passes through them: NVLink SHARP inside of a node, SHARP between nodes.
struct SwitchReduction {
  bool present = false;        ///< false: there are none
  double latency_seconds = 0;  ///< of one way through the switches, up and down
  double efficiency = 1;       ///< share of the link's payload bandwidth that is kept
};

/// What ranks run on: nodes of devices, the links inside, and the network between. One device is one rank.
struct Topology {
  std::string name = "topology";  ///< for reports
  Index nodes = 1;
  Index devices = 1;          ///< of each node
  Link inside;                ///< of each device to the others of its node
  Link between;               ///< of each network adapter
  Index adapters = 1;         ///< of each node
  double launch_seconds = 0;  ///< what an operation costs before its first message
  double reduction_rate = 0;  ///< bytes a second at which a device reduces, 1/γ; 0: as fast as they come
  /// Between the devices of a node, and between nodes.
  SwitchReduction inside_switch, between_switch;

  /// Number of devices.
  [[nodiscard]] Index ranks() const noexcept { return nodes * devices; }
  /// Bytes of payload a second that leave a node.
  [[nodiscard]] double node_bandwidth() const noexcept { return between.bandwidth() * static_cast<double>(adapters); }
  /// The same for at least so many ranks: as many whole nodes as they need, or a part of one.
  [[nodiscard]] Topology with_ranks(Index ranks) const;
};

/// Equal ranks, each with one link to all others: processes of one machine, or one device a node.
[[nodiscard]] Topology flat_topology(Index ranks, const Link& link, double launch_seconds = 0,
                                     double reduction_rate = 0);

/// `nodes` nodes of eight H100 behind NVSwitch with NVLink SHARP, an NDR adapter a device, with NCCL's latencies (base
/// 8.4 µs, NVLink SHARP 25 µs, its efficiency 0.85: NVIDIA/nccl src/graph/tuning.cc).
[[nodiscard]] Topology h100_nodes(Index nodes);

/// Error `invalid`, naming the member.
[[nodiscard]] Result<void> check(const Topology& topology);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/topology.ipp"
#endif
