#include "assay/performance/ewma_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the moving average finds slow drift, and tells since when", "[performance]") {
  const EwmaDetector detector;
  CHECK(assay::testing::accused_of_100(detector, 0, 0.0025, 20) >= 97);
  CHECK(assay::testing::accused_of_100(detector, 0, 0, 20) <= 12);
  RunSeries series = assay::testing::runs_with(0, 0, 210, 2);
  series.baseline_end = 200;
  for (std::size_t run = 230; run < 240; ++run) series.values[run] *= 1.03;
  const RegressionJudgement judgement = detector.judge(series);
  CHECK(judgement.verdict == RegressionVerdict::regressed);
  CHECK(static_cast<double>(judgement.change_point.value()) == Approx(230).margin(3));
  CHECK(judgement.change == Approx(0.03).margin(0.012));
}

TEST_CASE("one wild run raises no alarm of the robust average, and one of the plain average", "[performance]") {
  RunSeries series = assay::testing::runs_with(0, 0, 12, 9);
  series.values[35] *= 3;
  CHECK(EwmaDetector{}.judge(series).verdict == RegressionVerdict::not_regressed);
  CHECK(EwmaDetector{{}, {false, 3, false, 0}, 10}.judge(series).verdict == RegressionVerdict::regressed);
}

TEST_CASE("the moving average keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(EwmaDetector{});
  assay::testing::check_detector(EwmaDetector{{0.1, 3}, {false, 3, false, 0}, 10});
  RunSeries series = assay::testing::runs_with(0, 0, 3, 1);
  CHECK_THROWS_AS((EwmaDetector{{0, 5}, {}, 10}.judge(series)), Misuse);
  series.baseline_end = 9;
  CHECK(EwmaDetector{}.judge(series).verdict == RegressionVerdict::rerun);
}
