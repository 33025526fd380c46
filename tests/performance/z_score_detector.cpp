#include "assay/performance/z_score_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

TEST_CASE("the classic cries wolf and is blind to drift", "[performance]") {
  using assay::testing::runs_with;
  const ZScoreDetector detector;
  int accused = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    accused += detector.judge(runs_with(0, 0, 5, seed)).verdict == RegressionVerdict::regressed ? 1 : 0;
  CHECK(accused > 60);  // 4.45 % of 2000
  CHECK(accused < 120);
  RunSeries ramp;
  for (int run = 0; run < 60; ++run) ramp.values.push_back(100 + 5 * run);
  ramp.baseline_end = 30;
  CHECK(detector.judge(ramp).verdict == RegressionVerdict::not_regressed);  // four times as slow by now
  CHECK(detector.judge(runs_with(0.2, 0, 1, 3)).verdict == RegressionVerdict::regressed);
  CHECK(detector.judge(runs_with(0.2, 0, 12, 3)).verdict == RegressionVerdict::not_regressed);
}

TEST_CASE("the classic keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(ZScoreDetector{});
  RunSeries short_series = assay::testing::runs_with(0, 0, 5, 1);
  CHECK(ZScoreDetector{50, 2}.judge(short_series).verdict == RegressionVerdict::rerun);
  CHECK_THROWS_AS((ZScoreDetector{1, 2}.judge(short_series)), Misuse);
  CHECK_THROWS_AS((ZScoreDetector{10, 0}.judge(short_series)), Misuse);
}
