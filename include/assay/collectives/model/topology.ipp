#pragma once

#include "assay/collectives/model/topology.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Topology Topology::with_ranks(Index ranks) const {
  Topology grown = *this;
  if (ranks < devices)
    grown.devices = ranks, grown.nodes = 1;
  else
    grown.nodes = (ranks + devices - 1) / devices;
  return grown;
}

ASSAY_DETAIL_HEADER_INLINE Topology flat_topology(Index ranks, const Link& link, double launch_seconds,
                                                  double reduction_rate) {
  Topology topology;
  topology.name = std::string(link.name);
  topology.nodes = ranks;
  topology.inside = topology.between = link;
  topology.launch_seconds = launch_seconds;
  topology.reduction_rate = reduction_rate;
  return topology;
}

ASSAY_DETAIL_HEADER_INLINE Topology h100_nodes(Index nodes) {
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

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const Topology& topology) {
  const auto refused = [&](const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "topology '" + topology.name + "': " + what));
  };
  const auto positive = [](double value) { return value > 0 && value < 1e18; };
  if (topology.nodes < 1 || topology.devices < 1 || topology.adapters < 1)
    return refused("nodes, devices and adapters are 1 or more");
  if (topology.nodes > 100'000'000 || topology.devices > 100'000)
    return refused("at most 100,000,000 nodes of 100,000 devices");
  for (const Link* link : {&topology.inside, &topology.between}) {
    const std::string which = link == &topology.inside ? "inside" : "between";
    if (!(link->latency_seconds >= 0 && link->latency_seconds < 1e6))
      return refused(which + ": the latency is 0 s or more");
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
