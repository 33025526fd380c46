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
  [[nodiscard]] Topology with_ranks(Index ranks) const {
    Topology grown = *this;
    if (ranks < devices)
      grown.devices = ranks, grown.nodes = 1;
    else
      grown.nodes = (ranks + devices - 1) / devices;
    return grown;
  }
};

/// Equal ranks, each with one link to all others: processes of one machine, or one device a node.
[[nodiscard]] inline Topology flat_topology(Index ranks, const Link& link, double launch_seconds = 0, double reduction_rate = 0) {
  Topology topology;
  topology.name = std::string(link.name);
  topology.nodes = ranks;
  topology.inside = topology.between = link;
  topology.launch_seconds = launch_seconds;
  topology.reduction_rate = reduction_rate;
  return topology;
}

/// `nodes` nodes of eight H100 behind NVSwitch with NVLink SHARP, an NDR adapter a device, with NCCL's latencies (base 8.4 µs,
/// NVLink SHARP 25 µs, its efficiency 0.85: NVIDIA/nccl src/graph/tuning.cc).
[[nodiscard]] inline Topology h100_nodes(Index nodes) {
  Topology topology;
  topology.name = "8 x H100, NDR";
  topology.nodes = nodes;
  topology.devices = topology.adapters = 8;
  topology.inside = link_named("nvlink4").value();
  topology.between = link_named("ib_ndr").value();
  topology.launch_seconds = 8.4e-6;
  topology.inside_switch = {true, 25e-6, 0.85};
  return topology;
}

/// Error `invalid`, naming the member.
[[nodiscard]] inline Result<void> check(const Topology& topology) {
  const auto refused = [&](const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "topology '" + topology.name + "': " + what));
  };
  const auto positive = [](double value) { return value > 0 && value < 1e18; };
  if (topology.nodes < 1 || topology.devices < 1 || topology.adapters < 1) return refused("nodes, devices and adapters are 1 or more");
  if (topology.nodes > 100'000'000 || topology.devices > 100'000) return refused("at most 100,000,000 nodes of 100,000 devices");
  for (const Link* link : {&topology.inside, &topology.between}) {
    const std::string which = link == &topology.inside ? "inside" : "between";
    if (!(link->latency_seconds >= 0 && link->latency_seconds < 1e6)) return refused(which + ": the latency is 0 s or more");
    if (!positive(link->line_rate)) return refused(which + ": the bandwidth is more than 0 bytes a second");
    if (!(link->protocol_efficiency > 0 && link->protocol_efficiency <= 1))
      return refused(which + ": the efficiency is more than 0 and at most 1");
  }
  if (!(topology.launch_seconds >= 0 && topology.launch_seconds < 1e6)) return refused("the launch takes 0 s or more");
  if (!(topology.reduction_rate >= 0 && topology.reduction_rate < 1e18))
    return refused("the reduction rate is 0 (as fast as bytes come) or more");
  for (const SwitchReduction* made : {&topology.inside_switch, &topology.between_switch})
    if (!(made->latency_seconds >= 0 && made->latency_seconds < 1e6 && made->efficiency > 0 && made->efficiency <= 1))
      return refused("a switch has a latency of 0 s or more, and an efficiency of more than 0 and at most 1");
  return {};
}

}  // namespace assay::inline v0
