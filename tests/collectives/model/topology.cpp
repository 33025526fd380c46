#include "assay/collectives/model/topology.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("a topology grows by whole nodes, and shrinks below one") {
  const Topology two = h100_nodes(2);
  CHECK(two.ranks() == 16);
  CHECK(two.with_ranks(100'000).nodes == 12'500);
  CHECK(two.with_ranks(17).ranks() == 24);
  CHECK(two.with_ranks(4).ranks() == 4);
  CHECK(two.with_ranks(4).nodes == 1);
  CHECK(two.node_bandwidth() == Approx(8 * 48e9));
  CHECK(flat_topology(6, link_named("pcie4").value()).ranks() == 6);
}

TEST_CASE("what no machine is like is refused, naming the member") {
  CHECK(check(h100_nodes(12'500)));
  const auto refused = [](auto&& change) {
    Topology topology = h100_nodes(2);
    change(topology);
    const auto checked = check(topology);
    REQUIRE(!checked);
    CHECK(checked.error().kind == ErrorKind::invalid);
    return checked.error().message;
  };
  CHECK(refused([](Topology& t) { t.nodes = 0; }).find("nodes") != std::string::npos);
  CHECK(refused([](Topology& t) { t.nodes = std::numeric_limits<Index>::max(); }).find("nodes") != std::string::npos);
  CHECK(refused([](Topology& t) { t.inside.line_rate = 0; }).find("inside: the bandwidth") != std::string::npos);
  CHECK(refused([](Topology& t) { t.between.latency_seconds = -1; }).find("between: the latency") != std::string::npos);
  CHECK(refused([](Topology& t) { t.between.protocol_efficiency = 1.5; }).find("efficiency") != std::string::npos);
  CHECK(refused([](Topology& t) { t.launch_seconds = std::numeric_limits<double>::quiet_NaN(); }).find("launch") !=
        std::string::npos);
  CHECK(refused([](Topology& t) { t.inside_switch.efficiency = 0; }).find("switch") != std::string::npos);
  CHECK(refused([](Topology& t) { t.reduction_rate = -1; }).find("reduction") != std::string::npos);
}
