#include "assay/collectives/model/topology_text.hpp"

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("a description names links and changes what differs") {
  const auto read = parse_topology(
      "# two nodes\r\n"
      "name = two nodes  \n"
      "nodes = 2\n"
      "devices = 8\n"
      "inside = nvlink4   # behind NVSwitch\n"
      "inside_switch_us = 25\n"
      "between = roce_400\n"
      "between_latency_us = 20.5\n"
      "launch_us = 8.4\n"
      "\n"
      "reduction_gbs=900");
  REQUIRE(read);
  const Topology& topology = read.value();
  CHECK(topology.name == "two nodes");
  CHECK(topology.ranks() == 16);
  CHECK(topology.adapters == 8);
  CHECK(topology.inside.name == "nvlink4");
  CHECK(topology.inside_switch.present);
  CHECK(topology.inside_switch.latency_seconds == Approx(25e-6));
  CHECK(!topology.between_switch.present);
  CHECK(topology.between.line_rate == 50e9);
  CHECK(topology.between.latency_seconds == Approx(20.5e-6));
  CHECK(topology.launch_seconds == Approx(8.4e-6));
  CHECK(topology.reduction_rate == Approx(900e9));
}

TEST_CASE("a description that is no topology is refused with its line") {
  const auto message = [](std::string_view text) {
    const auto read = parse_topology(text);
    REQUIRE(!read);
    return read.error().message;
  };
  CHECK(message("nodes = 2\nnode = 3").find("line 2: unknown key 'node'; nearest: nodes") == 0);
  CHECK(message("nodes 2").find("line 1: found 'nodes 2'; expected key = value") == 0);
  CHECK(message("nodes = 2x").find("line 1: 'nodes' is '2x'; give a whole number") == 0);
  CHECK(message("nodes = -2").find("line 1") == 0);
  CHECK(message("nodes = 99999999999999999999999").find("line 1") == 0);
  CHECK(message("nodes = 2\nnodes = 2").find("line 2: 'nodes' stands a second time") == 0);
  CHECK(message("inside = nvlnk4").find("nearest: nvlink4") != std::string::npos);
  CHECK(message("inside_gbs = fast").find("give a number") != std::string::npos);
  CHECK(message("inside_gbs = nan").find("inside: the bandwidth") != std::string::npos);
  CHECK(message("inside_gbs = inf").find("inside: the bandwidth") != std::string::npos);
  CHECK(message("inside_latency_us = 3\ninside = pcie5").find("line 2: 'inside' replaces 'inside_latency_us'") == 0);
  CHECK(message("inside_efficiency = 2").find("efficiency") != std::string::npos);
}
