#include "assay/performance/history_run_series.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {
History history_of(const std::vector<std::pair<std::string, std::vector<double>>>& runs) {
  History history;
  int minute = 0;
  for (const auto& [version, samples] : runs) {
    HistoryRun run;
    run.origin.time = *parse_utc_time("2025-01-02T03:" + std::to_string(10 + minute++) + ":00Z");
    run.origin.labels["version"] = version;
    run.points.push_back({"gemm", {}, {"seconds", "s", Direction::lower_is_better, samples, ""}});
    history.add(run);
  }
  return history;
}
const std::vector<std::pair<std::string, std::vector<double>>> releases{{"1.0", {5, 1, 3}}, {"1.1", {4, 4.5}}, {"1.1", {6}}, {"1.2", {7, 8, 9}}};
}  // namespace

TEST_CASE("a run is the median of its samples, and a release is its baseline", "[performance]") {
  const History history = history_of(releases);
  const auto series = run_series_of(history, history.series.at(0), {"version", "1.1", 0});
  REQUIRE(series);
  CHECK(series.value().name == "gemm/seconds");
  CHECK(series.value().values == std::vector<double>{3, 4.25, 6, 8});
  CHECK(series.value().baseline_begin == 1);
  CHECK(series.value().baseline_end == 3);
}

TEST_CASE("the oldest runs are the baseline unless another is named", "[performance]") {
  const History history = history_of(releases);
  CHECK(run_series_of(history, history.series.at(0), {"", "", 2}).value().baseline_end == 2);
  CHECK(run_series_of(history, history.series.at(0)).value().baseline_end == 4);  // and nothing since
  CHECK(run_series_of(history, history.series.at(0)).value().since_baseline().empty());
}

TEST_CASE("a baseline that nobody measured, or that is scattered, is refused", "[performance]") {
  const History history = history_of(releases);
  const auto absent = run_series_of(history, history.series.at(0), {"version", "2.0", 0});
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  CHECK_THAT(absent.error().message, assay::testing::contains("version = '2.0'"));
  const History scattered = history_of({{"1.1", {1}}, {"1.0", {2}}, {"1.1", {3}}});
  const auto refused = run_series_of(scattered, scattered.series.at(0), {"version", "1.1", 0});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid);
  CHECK(run_series_of(scattered, scattered.series.at(0), {"version", "1.1", 0}, SeriesOrder::version).value().values == std::vector<double>{2, 1, 3});
  CHECK_FALSE(run_series_of(scattered, HistorySeries{}));
}
