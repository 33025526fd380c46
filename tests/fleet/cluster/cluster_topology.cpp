#include "assay/fleet/cluster/cluster_topology.hpp"

#include "assay/collectives/model/prediction.hpp"
#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {
double all_reduce(const Topology& topology) {
  return expected_collective(CollectiveOperation::all_reduce, 1e9, topology).seconds;
}
}  // namespace

TEST_CASE("topologies are sound, and differ as their wires do") {
  for (const Topology& topology : {fat_tree(64), fat_tree(64, 4), rail_optimized(64), nvswitch_islands(8, 72)})
    CHECK(check(topology).has_value());
  CHECK(all_reduce(fat_tree(64, 4)) > 2 * all_reduce(fat_tree(64)));
  CHECK(all_reduce(rail_optimized(64)) == all_reduce(fat_tree(64)));
  CHECK(nvswitch_islands(8, 72).ranks() == 576);
  CHECK_THROWS_AS(static_cast<void>(fat_tree(2, 0.5)), Misuse);
}

TEST_CASE("a torus reduces along all of its dimensions at once") {
  Torus ring{{16}, 50e9, 0}, cube{{16, 16, 16}, 50e9, 0};
  CHECK(torus_all_reduce_seconds(ring, 1e9) == Approx(2 * 15 / 16.0 * 1e9 / 1e11));
  CHECK(torus_all_reduce_seconds(cube, 1e9) == Approx(2 * 4095 / 4096.0 * 1e9 / 3e11));
  CHECK(torus_all_reduce_seconds({{1, 1}, 50e9, 1}, 1e9) == 0);
  CHECK(torus_all_to_all_seconds(ring, 1e9) == Approx(1e9 * 16 / (8 * 50e9)));
  CHECK(torus_all_to_all_seconds({{1}, 50e9, 1}, 1e9) == 0);
  cube.hop_seconds = 1e-6;
  CHECK(torus_all_reduce_seconds(cube, 0) == Approx(90e-6));
  CHECK_FALSE(check(Torus{{}, 1, 0}).has_value());
  CHECK_FALSE(check(Torus{{0}, 1, 0}).has_value());
  CHECK_FALSE(check(Torus{{4}, 0, 0}).has_value());
}
