#include "assay/performance/threshold_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("a threshold accuses what passes it, in the newest run", "[performance]") {
  RunSeries series;
  series.values = {100, 100, 100, 104.9};
  series.baseline_end = 3;
  CHECK(ThresholdDetector{}.judge(series).verdict == RegressionVerdict::not_regressed);
  series.values.push_back(105.1);
  const RegressionJudgment judgment = ThresholdDetector{}.judge(series);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.change == Approx(0.051));
  CHECK(ThresholdDetector{0.05, ThresholdReference::previous_run}.judge(series).verdict ==
        RegressionVerdict::not_regressed);
  series.direction = Direction::higher_is_better;
  CHECK(ThresholdDetector{}.judge(series).improved);
  series.values.push_back(94);
  CHECK(ThresholdDetector{}.judge(series).verdict == RegressionVerdict::regressed);
}

TEST_CASE("2 % a release pass every gate on the previous release and add up to 26.8 %", "[performance]") {
  RunSeries series;
  series.values = {100};
  series.baseline_end = 1;
  bool previous_accused = false;
  for (int release = 0; release < 12; ++release) {
    series.values.push_back(series.values.back() * 1.02);
    previous_accused =
        previous_accused || ThresholdDetector{0.05, ThresholdReference::previous_run}.judge(series).verdict !=
                                RegressionVerdict::not_regressed;
  }
  CHECK_FALSE(previous_accused);
  const RegressionJudgment frozen = ThresholdDetector{}.judge(series);
  CHECK(frozen.verdict == RegressionVerdict::regressed);
  CHECK(frozen.change == Approx(0.268).epsilon(0.002));
}

TEST_CASE("a threshold keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(ThresholdDetector{});
  CHECK_THROWS_AS(
      (ThresholdDetector{1.5, ThresholdReference::previous_run}.judge(assay::testing::runs_with(0, 0, 3, 1))), Misuse);
}
