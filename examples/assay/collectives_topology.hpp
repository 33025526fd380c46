#pragma once

#include <string>

#include "assay/collectives/model/topology_text.hpp"
#include "assay/report/read_file.hpp"

namespace assay_program {

/// What --topology names: h100, or a file. Errors name the file, with the line.
[[nodiscard]] inline assay::Result<assay::Topology> topology_named(const std::string& name) {
  if (name == "h100") return assay::h100_nodes(1);
  const auto text = assay::read_file(name);
  if (!text) return text.propagate();
  auto topology = assay::parse_topology(text.value());
  if (!topology) return assay::failure(topology.error().kind, "'" + name + "': " + topology.error().message);
  return topology;
}

}  // namespace assay_program
