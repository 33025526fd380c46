#include "assay/performance/regression_scan.hpp"

#include "assay/performance/default_detector.hpp"
#include "assay/performance/threshold_detector.hpp"
#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::runs_with;

namespace {
std::vector<RunSeries> metrics(std::size_t count, std::size_t slower) {
  std::vector<RunSeries> series;
  for (std::size_t i = 0; i < count; ++i) {
    series.push_back(runs_with(i < slower ? 0.05 : 0, 0, 20, 1000 + i));
    series.back().name = "metric" + std::to_string(i);
  }
  return series;
}
struct Thrower {
  std::string name() const { return "thrower"; }
  RegressionJudgment judge(const RunSeries& series) const {
    if (series.name == "metric7") misuse("seven");
    return {};
  }
};
/// Accuses every metric with the p-value that its first run holds.
struct Sure {
  std::string name() const { return "sure"; }
  RegressionJudgment judge(const RunSeries& series) const {
    RegressionJudgment judgment;
    judgment.verdict = RegressionVerdict::regressed;
    judgment.reason = "sure";
    judgment.p_value = series.values.front();
    return judgment;
  }
};
}  // namespace

TEST_CASE("a scan says of each metric what the detector says, whatever the number of threads", "[performance]") {
  const std::vector<RunSeries> series = metrics(60, 10);
  const ShiftDetector detector = default_detector();
  const auto one = scan_regressions(std::span<const RunSeries>(series), detector, {0.05, 1}),
             four = scan_regressions(std::span<const RunSeries>(series), detector, {0.05, 4});
  REQUIRE(one.size() == 60);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].verdict == four[i].verdict);
    CHECK(one[i].reason == four[i].reason);
    CHECK(one[i].change == detector.judge(series[i]).change);
    CHECK((one[i].verdict == RegressionVerdict::regressed) == (i < 10));
  }
}

TEST_CASE("what stands out alone but not among all is measured again", "[performance]") {
  std::vector<RunSeries> series(100);
  for (std::size_t i = 0; i < series.size(); ++i)
    series[i].values = {i == 0 ? 1e-5 : i == 1 ? 0.01 : 0.3 + 0.005 * static_cast<double>(i)};
  const auto judged = scan_regressions(std::span<const RunSeries>(series), Sure());
  CHECK(judged[0].verdict == RegressionVerdict::regressed);
  CHECK(judged[0].p_value.value() == assay::testing::Approx(1e-3));
  CHECK(judged[1].verdict == RegressionVerdict::rerun);  // 0.01 · 100/2
  CHECK_THAT(judged[1].reason, assay::testing::contains("among 100 metrics"));
  for (std::size_t i = 2; i < judged.size(); ++i) CHECK(judged[i].verdict == RegressionVerdict::rerun);
  const auto few = scan_regressions(std::span<const RunSeries>(series).first(2), Sure());
  CHECK(few[1].verdict == RegressionVerdict::regressed);
}

TEST_CASE("judgments without a p-value stay as they are", "[performance]") {
  const std::vector<RunSeries> series = metrics(50, 50);
  const ThresholdDetector detector{0.01, ThresholdReference::baseline_median};
  const auto judged = scan_regressions(std::span<const RunSeries>(series), detector);
  for (std::size_t i = 0; i < judged.size(); ++i) CHECK(judged[i].verdict == detector.judge(series[i]).verdict);
}

TEST_CASE("a scan of nothing, and misuse in a thread", "[performance]") {
  CHECK(scan_regressions(std::span<const RunSeries>(), default_detector()).empty());
  const std::vector<RunSeries> series = metrics(20, 0);
  CHECK_THROWS_WITH(scan_regressions(std::span<const RunSeries>(series), Thrower(), {0.05, 3}), "seven");
  CHECK_THROWS_AS(scan_regressions(std::span<const RunSeries>(series), default_detector(), {0, 1}), Misuse);
}
