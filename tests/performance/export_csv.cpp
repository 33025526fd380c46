#include "assay/performance/export_csv.hpp"

#include "assay/performance/import_csv.hpp"
#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("what is exported as CSV is imported again") {
  History history;
  HistoryRun first =
      run_of("1.9", {{"gemm, \"big\"", {{"m", "64"}}, {"seconds", "s", Direction::lower_is_better, {0.1, 1.0 / 3}, ""}},
                     {"stream", {{"threads", "2\n3"}}, {"rate", "%", Direction::higher_is_better, {99.5}, ""}}});
  first.origin.labels["commit"] = "abc,def";
  HistoryRun second = run_of("1.10", {first.points[0]});
  second.origin.time += std::chrono::hours(24);
  history.add(first);
  history.add(second);
  const auto imported = import_csv(csv_text(history));
  INFO((imported ? csv_text(history) : imported.error().message));
  REQUIRE(imported);
  History again;
  for (const HistoryRun& run : imported.value().runs) again.add(run);
  REQUIRE(again.runs.size() == 2);
  for (const Violations& found : {differences(again, 0, first), differences(again, 1, second)}) {
    for (const std::string& violation : found) UNSCOPED_INFO(violation);
    CHECK(found.empty());
  }
  CHECK(csv_text(History()) == "name,metric,unit,direction,value,time\n");
}
