#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/collectives/model/topology.hpp"

namespace assay::inline v0 {
/// Reads a topology: lines `key = value`, `#` begins a comment. Keys: name; nodes, devices (a node), adapters (a node;
/// as many as devices); inside, between: links by name, `known_links`; inside_latency_us, inside_gbs (line rate, GB/s
/// in one direction), inside_efficiency, and the same of between_, which change the link named; launch_us;
/// reduction_gbs; inside_switch_us, inside_switch_efficiency, between_switch_us, between_switch_efficiency: switches
/// that reduce, absent unless one of the two is given. Errors: `malformed`, `not_found`, with the line; `invalid` of
/// `check`.
[[nodiscard]] Result<Topology> parse_topology(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/topology_text.ipp"
#endif
