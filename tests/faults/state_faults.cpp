#include "assay/faults/state_faults.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "faults/doubling.hpp"

using namespace assay;
using testing::Doubling;

TEST_CASE("faults of state depend on the launch before") {
  for (const auto& [name, first, second] :
       {std::tuple{"former_result", 0, 700}, {"former_tile", 0, 16}, {"workspace_not_cleared", 0, 700}}) {
    INFO(name);
    Doubling doubling;
    CommonFault fault(name);
    (void)fault.launch(doubling.specs, doubling.operands, &Doubling::kernel);
    CHECK(doubling.wrong() == first);
    for (float& value : doubling.x) value += 3;
    (void)fault.launch(doubling.specs, doubling.operands, &Doubling::kernel);
    CHECK(doubling.wrong() == second);
  }
}

TEST_CASE("faults of chance strike as often as they say") {
  CHECK(Doubling("lost_race").wrong() > 0);
  CHECK(Doubling("order_of_chance", 1).wrong() == 0);
  CHECK(Doubling("order_of_chance", 2).wrong() == 1);
  CHECK(launches_to_see("order_of_chance") == 2);
  CHECK(launches_to_see("flipped_bit") == 1);
  const StateFault* rare = nullptr;
  for (const StateFault& entry : state_faults())
    if (entry.fault.name == "flip_in_10000") rare = &entry;
  REQUIRE(rare != nullptr);
  CHECK(1 - std::pow(1 - 1e-4, rare->launches) >= 0.99);
  LaunchHistory history;
  int flips = 0;
  for (history.launches = 0; history.launches < 200000; ++history.launches)
    flips += history.random() % 10000 == 0 ? 1 : 0;
  CHECK((flips > 5 && flips < 45));
}
