#include "assay/performance/shift_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::runs_with;

TEST_CASE("a shift is found, and where it began", "[performance]") {
  RunSeries series = runs_with(0, 0, 10, 2);
  const RunSeries slower = runs_with(0.05, 0, 12, 3);
  series.values.insert(series.values.end(), slower.values.begin() + 30, slower.values.end());
  const RegressionJudgment judgment = ShiftDetector{}.judge(series);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.change == Approx(0.05).margin(0.012));
  CHECK(static_cast<double>(judgment.change_point.value()) == Approx(40).margin(1));
  CHECK(judgment.baseline_count == 30);
  CHECK(judgment.candidate_count == 10);
}

TEST_CASE("series without change are hardly ever accused, changes hardly ever missed", "[performance]") {
  for (const std::vector<std::size_t>& windows : {std::vector<std::size_t>{10}, {5, 20}}) {
    ShiftDetector detector;
    detector.windows = windows;
    CHECK(assay::testing::accused_of_100(detector, 0, 0, 20) <= 1);
    CHECK(assay::testing::accused_of_100(detector, 0.03, 0, 20) >= 97);
    CHECK(assay::testing::accused_of_100(detector, 0, 0.001, 40) >= 97);  // a drift of a tenth of the noise a run
    CHECK(assay::testing::accused_of_100(detector, 0.03, 0, 20, Direction::higher_is_better) >= 97);
  }
}

TEST_CASE("a short window sees a large step soon, a long one decides small ones", "[performance]") {
  ShiftDetector both;
  both.windows = {5, 20};
  RunSeries series = runs_with(0, 0, 30, 5);
  for (std::size_t run = 55; run < 60; ++run) series.values[run] *= 1.06;
  CHECK(both.judge(series).verdict == RegressionVerdict::regressed);
  CHECK(both.judge(series).candidate_count == 5);
  CHECK(ShiftDetector{{20}, true, {}}.judge(series).verdict != RegressionVerdict::regressed);
  // the long window alone would pass what the short one suspects
  for (std::size_t run = 55; run < 60; ++run) series.values[run] *= 1.015 / 1.06;
  const RegressionJudgment suspected = both.judge(series);
  CHECK(suspected.verdict == RegressionVerdict::rerun);
}

TEST_CASE("windows share the error", "[performance]") {
  ShiftDetector one, two;
  one.windows = {20};
  two.windows = {5, 20};
  const RunSeries series = runs_with(0, 0, 30, 6);
  const RegressionJudgment alone = one.judge(series), shared = two.judge(series);
  CHECK(shared.upper > alone.upper);
  CHECK(shared.lower < alone.lower);
}

TEST_CASE("autocorrelated runs are not accused for wandering", "[performance]") {
  const auto wandering = [](std::uint64_t seed) {
    assay::testing::Noise noise(seed);
    RunSeries series;
    series.baseline_end = 30;
    double state = noise.normal();
    for (int run = 0; run < 60; ++run)
      series.values.push_back(100 * std::exp(0.02 * (state = 0.6 * state + 0.8 * noise.normal())));
    return series;
  };
  int naive = 0, careful = 0;
  ShiftDetector unaware;
  unaware.autocorrelated = false;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    naive += unaware.judge(wandering(seed)).verdict == RegressionVerdict::regressed ? 1 : 0;
    careful += ShiftDetector{}.judge(wandering(seed)).verdict == RegressionVerdict::regressed ? 1 : 0;
  }
  CHECK(naive > 12);
  CHECK(careful < naive / 2);
}

TEST_CASE("the test of Mann and Whitney, and the bootstrap, stand behind the same interface", "[performance]") {
  ShiftDetector test;
  test.options.minimum_effect = 0;
  test.options.confidence = 0.99;
  CHECK_THAT(test.name(), assay::testing::contains("Mann-Whitney"));
  CHECK(assay::testing::accused_of_100(test, 0.02, 0, 20) >= 95);
  ShiftDetector bootstrap;
  bootstrap.options.method = ShiftMethod::bootstrap_median;
  bootstrap.options.resamples = 300;
  CHECK_THAT(bootstrap.name(), assay::testing::contains("bootstrap"));
  CHECK(assay::testing::accused_of_100(bootstrap, 0.05, 0, 20) >= 95);
  assay::testing::check_detector(test);
  assay::testing::check_detector(bootstrap);
}

TEST_CASE("the shift keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(ShiftDetector{});
  ShiftDetector several;
  several.windows = {5, 20};
  assay::testing::check_detector(several);
  CHECK(ShiftDetector{}.judge(runs_with(0.5, 0, 1, 1)).verdict ==
        RegressionVerdict::rerun);  // one run decides nothing here
  for (const std::vector<std::size_t>& bad : {std::vector<std::size_t>{}, {0}, {20, 5}, {5, 5}}) {
    several.windows = bad;
    CHECK_THROWS_AS(several.judge(runs_with(0, 0, 3, 1)), Misuse);
  }
}
