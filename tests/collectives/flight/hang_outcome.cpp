#include "assay/collectives/flight/hang_outcome.hpp"

#include <cmath>

#include "collectives/flight/sample_flights.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using enum CollectiveOperation;
using enum FlightState;

TEST_CASE("a hang is an error with the culprit first, a table of ranks, and a map of how far each came") {
  SampleFlights flights(4);
  flights.go_well(30);
  flights.ranks[1].records.erase(flights.ranks[1].records.begin(), flights.ranks[1].records.begin() + 20);
  for (int rank = 0; rank < 3; ++rank) flights.record(rank, all_reduce, entered);
  const Outcome outcome = hang_outcome(hang_report(flights.ranks, 80 * second));
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("rank 3 never entered all_reduce #61"));
  CHECK(outcome.label("cause") == "never_entered");
  REQUIRE(outcome.tables.size() == 1);
  REQUIRE(outcome.tables[0].rows.size() >= 2);
  CHECK(outcome.tables[0].rows[0][0] == "rank 3");
  CHECK(outcome.tables[0].rows[0][2] == "broadcast #60 (f32, 1024, root 0)");
  for (const auto& row : outcome.tables[0].rows) CHECK(row.size() == outcome.tables[0].columns.size());
  REQUIRE(outcome.heat_maps.size() == 1);
  const HeatMap& map = outcome.heat_maps[0];
  REQUIRE(map.rows == 4);
  REQUIRE(map.columns == 48);
  REQUIRE(map.values.size() == 4 * 48);
  CHECK_THAT(map.title, contains("column 0 is #14"));
  CHECK(map.at(0, 46) == 0);
  CHECK(map.at(0, 47) == 1);
  CHECK(map.at(3, 47) == 3);
  CHECK(std::isnan(map.at(1, 6)));  // #20 was overwritten in the ring of rank 1
  CHECK(map.at(1, 7) == 0);
}

TEST_CASE("mismatched calls fail, going well passes, and nothing recorded decides nothing") {
  SampleFlights flights(3);
  flights.go_well(2);
  CHECK(hang_outcome(hang_report(flights.ranks, 0)).verdict == Verdict::pass);
  CHECK(hang_outcome(hang_report(flights.ranks, 0, std::vector<std::string>{"a file is torn"})).verdict ==
        Verdict::inconclusive);
  flights.ranks.pop_back();
  CHECK(hang_outcome(hang_report(flights.ranks, 0)).verdict == Verdict::inconclusive);
  flights.record(0, reduce, completed, 4);
  flights.record(1, reduce, completed, 5);
  CHECK(hang_outcome(hang_report(flights.ranks, 0)).verdict == Verdict::fail);
  const Outcome nothing = hang_outcome(hang_report({}, 0));
  CHECK(nothing.verdict == Verdict::inconclusive);
  CHECK(nothing.reason == "no rank has recorded an operation");
}
