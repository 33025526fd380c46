#include "assay/performance/prediction_interval_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

TEST_CASE("one run beyond what was to be expected is told at once, a small shift hardly ever", "[performance]") {
  const PredictionIntervalDetector detector;
  CHECK(assay::testing::accused_of_100(detector, 0, 0, 1) <= 4);  // 0.5 % expected
  CHECK(assay::testing::accused_of_100(detector, 0.05, 0, 1) >= 95);
  CHECK(assay::testing::accused_of_100(detector, 0.01, 0, 20) <= 20);
}

TEST_CASE("the prediction interval keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(PredictionIntervalDetector{});
  RunSeries series = assay::testing::runs_with(0, 0, 3, 1);
  series.baseline_end = 4;
  CHECK(PredictionIntervalDetector{}.judge(series).verdict == RegressionVerdict::rerun);
  CHECK_THROWS_AS((PredictionIntervalDetector{1, 5}.judge(assay::testing::runs_with(0, 0, 3, 1))), Misuse);
}
