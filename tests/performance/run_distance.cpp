#include "assay/performance/run_distance.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::runs_with;

TEST_CASE("distances are in deviations of the baseline, worse upward", "[performance]") {
  RunSeries series;
  for (int i = 0; i < 30; ++i) series.values.push_back(std::exp(i % 2 == 0 ? 0.01 : -0.01));
  series.values.insert(series.values.end(), {std::exp(0.02), std::exp(-0.03)});
  series.baseline_end = 30;
  const double deviation = 0.01 * std::sqrt(30.0 / 29);
  const std::vector<double> plain = RunDistance{false, 3, false, 0}.of(series);
  REQUIRE(plain.size() == 2);
  CHECK(plain[0] == Approx(0.02 / deviation));
  CHECK(plain[1] == Approx(-0.03 / deviation));
  series.direction = Direction::higher_is_better;
  CHECK(RunDistance{false, 3, false, 0}.of(series)[0] == Approx(-0.02 / deviation));
  CHECK(RunDistance{false, 3, false, 0.02}.of(series)[1] == Approx((0.03 + std::log(0.98)) / deviation));
}

TEST_CASE("runs of the baseline's kind have mean 0 and deviation 1, of two modes as well", "[performance]") {
  for (const bool bimodal : {false, true}) {
    assay::testing::Noise noise(4);
    RunSeries series;
    series.baseline_end = 5000;
    for (int run = 0; run < 10000; ++run)
      series.values.push_back(100 * std::exp(0.01 * noise.normal() + (bimodal && noise.uniform() < 0.2 ? 0.1 : 0)));
    const Moments moments = moments_of(RunDistance{}.of(series));
    CHECK(moments.mean == Approx(0).margin(0.07));
    CHECK(moments.deviation == Approx(1).margin(0.07));
  }
}

TEST_CASE("a wild run counts as far, not as wild", "[performance]") {
  RunSeries series = runs_with(0, 0, 2, 7);
  series.values[31] = 1e100;
  CHECK(RunDistance{}.of(series)[1] < 5);
  CHECK(RunDistance{false, 3, false, 0}.of(series)[1] > 1e3);
  series.values[3] = 1e100;  // nor does it swell the deviation
  CHECK(RunDistance{}.of(series)[0] == Approx(RunDistance{}.of(runs_with(0, 0, 2, 7))[0]).margin(0.7));
}

TEST_CASE("autocorrelation makes distances smaller", "[performance]") {
  assay::testing::Noise noise(5);
  RunSeries series;
  series.baseline_end = 100;
  double state = 0;
  for (int run = 0; run < 101; ++run)
    series.values.push_back(100 * std::exp(0.01 * (state = 0.8 * state + 0.6 * noise.normal())));
  CHECK(std::abs(RunDistance{}.of(series)[0]) < 0.6 * std::abs(RunDistance{true, 3, false, 0}.of(series)[0]));
}
