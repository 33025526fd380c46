#include "assay/performance/cusum_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the cumulative sum finds slow drift, and tells since when", "[performance]") {
  const CusumDetector detector;
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

TEST_CASE("one wild run raises no alarm of the robust chart, and one of the plain chart", "[performance]") {
  RunSeries series = assay::testing::runs_with(0, 0, 12, 9);
  series.values[35] *= 3;
  CHECK(CusumDetector{}.judge(series).verdict == RegressionVerdict::not_regressed);
  CHECK(CusumDetector{{}, {false, 3, false, 0}, 10}.judge(series).verdict == RegressionVerdict::regressed);
}

TEST_CASE("the cumulative sum keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(CusumDetector{});
  assay::testing::check_detector(CusumDetector{{0.25, 8}, {false, 3, false, 0}, 10});
  RunSeries series = assay::testing::runs_with(0, 0, 3, 1);
  CHECK_THROWS_AS((CusumDetector{{-1, 5}, {}, 10}.judge(series)), Misuse);
  series.baseline_end = 9;
  CHECK(CusumDetector{}.judge(series).verdict == RegressionVerdict::rerun);
}
