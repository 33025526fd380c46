#include "assay/performance/pelt_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::runs_with;

TEST_CASE("the last level that PELT finds is held against its baseline", "[performance]") {
  RunSeries series = runs_with(0.06, 0, 15, 2);
  const RunSeries later = runs_with(0.03, 0, 15, 3);
  series.values.insert(series.values.end(), later.values.begin() + 30, later.values.end());
  const RegressionJudgment judgment = PeltDetector{}.judge(series);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.change == Approx(0.03).margin(0.01));
  CHECK(static_cast<double>(judgment.change_point.value()) == Approx(45).margin(2));
  // what recovered is no regression any more
  const RunSeries recovered = runs_with(0, 0, 15, 4);
  series.values.insert(series.values.end(), recovered.values.begin() + 30, recovered.values.end());
  CHECK(PeltDetector{}.judge(series).verdict != RegressionVerdict::regressed);
}

TEST_CASE("PELT hardly ever accuses, and finds steps and drifts", "[performance]") {
  CHECK(assay::testing::accused_of_100(PeltDetector{}, 0, 0, 20) <= 2);
  CHECK(assay::testing::accused_of_100(PeltDetector{}, 0.03, 0, 20) >= 85);
  CHECK(assay::testing::accused_of_100(PeltDetector{}, 0, 0.002, 30) >= 97);
}

TEST_CASE("PELT keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(PeltDetector{});
}

TEST_CASE("a shift without a change point that PELT could find is measured again", "[performance]") {
  PeltDetector detector;
  detector.segments.shortest = 40;  // of 50 runs
  CHECK(detector.judge(runs_with(0.05, 0, 20, 2)).verdict == RegressionVerdict::rerun);
}
