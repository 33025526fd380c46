#include "assay/performance/history_baseline.hpp"

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Runs of those versions, an hour apart, whose medians count up from 1.
History history_of(const std::vector<std::string>& versions) {
  History history;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const double value = static_cast<double>(i + 1);
    HistoryRun run = run_of(versions[i], {point_of("a", {value - 1, value, 100})});
    run.origin.time = UtcTime(std::chrono::hours(i));
    history.add(run);
  }
  return history;
}

}  // namespace

TEST_CASE("a baseline by label is those runs, and what is judged are the runs after the first of them") {
  const History history = history_of({"1.0", "1.1", "1.1", "1.2", "1.1", "1.3"});
  const BaselinedSeries chosen = baselined(history, history.series[0], {{{"version", "1.1"}}});
  CHECK(chosen.series.name == "a/seconds");
  CHECK(chosen.series.values == std::vector<double>{1, 2, 3, 5, 4, 6});
  CHECK(chosen.points == std::vector<std::size_t>{0, 1, 2, 4, 3, 5});
  CHECK(chosen.series.baseline_begin == 1);
  CHECK(chosen.series.baseline_end == 4);
}

TEST_CASE("without such runs there is no baseline") {
  const History history = history_of({"1.0", "1.1"});
  const BaselinedSeries chosen = baselined(history, history.series[0], {{{"version", "2"}}});
  CHECK_FALSE(chosen.series.has_baseline());
  CHECK(chosen.series.values.size() == 2);
}

TEST_CASE("a baseline by number is the runs before the newest") {
  const History history = history_of({"1", "2", "3", "4", "5", "6"});
  HistoryBaseline baseline;
  baseline.runs = 3;
  baseline.newest = 2;
  BaselinedSeries chosen = baselined(history, history.series[0], baseline);
  CHECK(chosen.series.baseline_begin == 1);
  CHECK(chosen.series.baseline_end == 4);
  baseline.runs = 30;
  CHECK(baselined(history, history.series[0], baseline).series.baseline_begin == 0);
  baseline.newest = 10;
  chosen = baselined(history, history.series[0], baseline);
  CHECK_FALSE(chosen.series.has_baseline());
  CHECK(chosen.series.values.size() == 6);
}

TEST_CASE("the order of versions can be that of the series") {
  const History history = history_of({"1.10", "1.9", "1.2"});
  HistoryBaseline baseline{{{"version", "1.9"}}, 0, 0, SeriesOrder::version};
  const BaselinedSeries chosen = baselined(history, history.series[0], baseline);
  CHECK(chosen.series.values == std::vector<double>{3, 2, 1});
  CHECK(chosen.series.baseline_begin == 1);
  CHECK(chosen.series.since_baseline().size() == 1);
}

TEST_CASE("what speaks against a comparison is told, and what does not is not") {
  History history = history_of({"1", "1", "2", "2"});
  for (RunOrigin& run : history.runs) {
    run.environment = {{"processor", "A"}, {"compiler", "g++ 12"}};
    run.clocks = {{"governor", "performance"},
                  {"mhz_before", std::to_string(2400 + history.runs.size())},
                  {"throttle_events", "0"}};
  }
  const HistoryBaseline baseline{{{"version", "1"}}};
  const auto told = [&] {
    return comparability(history, history.series[0], baselined(history, history.series[0], baseline));
  };
  CHECK(told().empty());
  history.runs[3].environment["processor"] = "B";
  history.runs[2].clocks["governor"] = "powersave";
  history.runs[1].clocks["throttle_events"] = "3";
  history.series[0].points[2].note = "never got steady: …";
  const auto found = told();
  REQUIRE(found.size() == 4);
  CHECK(found[0] == "governor: performance; later performance | powersave");
  CHECK(found[1] == "processor: A; later A | B");
  CHECK(found[2] == "a run's note: heat slowed a processor while a run was measured");
  CHECK(found[3] == "a run's note: never got steady: …");
}
