#include "assay/performance/e_divisive_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::runs_with;

TEST_CASE("the last level that E-divisive finds is held against its baseline", "[performance]") {
  RunSeries series = runs_with(0.06, 0, 15, 2);
  const RunSeries later = runs_with(0.03, 0, 15, 3);
  series.values.insert(series.values.end(), later.values.begin() + 30, later.values.end());
  const RegressionJudgment judgment = EDivisiveDetector{}.judge(series);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.change == Approx(0.03).margin(0.01));
  CHECK(static_cast<double>(judgment.change_point.value()) == Approx(45).margin(2));
  // what recovered is no regression any more
  const RunSeries recovered = runs_with(0, 0, 15, 4);
  series.values.insert(series.values.end(), recovered.values.begin() + 30, recovered.values.end());
  CHECK(EDivisiveDetector{}.judge(series).verdict != RegressionVerdict::regressed);
}

TEST_CASE("E-divisive hardly ever accuses, and finds steps and drifts", "[performance]") {
  CHECK(assay::testing::accused_of_100(EDivisiveDetector{}, 0, 0, 20) <= 2);
  CHECK(assay::testing::accused_of_100(EDivisiveDetector{}, 0.03, 0, 20) >= 85);
  CHECK(assay::testing::accused_of_100(EDivisiveDetector{}, 0, 0.002, 30) >= 97);
}

TEST_CASE("E-divisive keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(EDivisiveDetector{});
}

TEST_CASE("a shift without a change point that E-divisive could find is measured again", "[performance]") {
  EDivisiveDetector detector;
  detector.splits.shortest = 40;  // of 50 runs
  const RegressionJudgment judgment = detector.judge(runs_with(0.05, 0, 20, 2));
  CHECK(judgment.verdict == RegressionVerdict::rerun);
  CHECK_THAT(judgment.reason, assay::testing::contains("no change point"));
}
