#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "assay/performance/regression_detector.hpp"
#include "assay/performance/run_series.hpp"
#include "statistics/noise.hpp"

namespace assay::testing {

/// A baseline of 30 runs around 100 with a deviation of 1 %, then `later` runs that got worse by `step` in the first of
/// them and by `drift` with each.
inline RunSeries runs_with(double step, double drift, std::size_t later, std::uint64_t seed,
                           Direction direction = Direction::lower_is_better) {
  Noise noise(seed);
  RunSeries series;
  series.name = "gemm/seconds";
  series.direction = direction;
  series.baseline_end = 30;
  for (std::size_t run = 0; run < 30 + later; ++run) {
    const double worse = run < 30 ? 0 : step + drift * static_cast<double>(run - 29);
    series.values.push_back(100 * (direction == Direction::lower_is_better ? 1 + worse : 1 - worse) *
                            std::exp(0.01 * noise.normal()));
  }
  return series;
}

/// How many of 100 series the detector calls regressed.
inline int accused_of_100(const RegressionDetector auto& detector, double step, double drift, std::size_t later,
                          Direction direction = Direction::lower_is_better) {
  int accused = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    accused +=
        detector.judge(runs_with(step, drift, later, seed, direction)).verdict == RegressionVerdict::regressed ? 1 : 0;
  return accused;
}

/// What the concept promises of every detector.
inline void check_detector(const RegressionDetector auto& detector) {
  CHECK_FALSE(std::string(detector.name()).empty());
  const auto judged = [&](const RunSeries& series) {
    const RegressionJudgment judgment = detector.judge(series);
    CHECK_FALSE(judgment.reason.empty());
    CHECK(judgment.method == std::string(detector.name()));
    CHECK_FALSE((judgment.improved && judgment.verdict == RegressionVerdict::regressed));
    return judgment;
  };
  for (const Direction direction : {Direction::lower_is_better, Direction::higher_is_better}) {
    // 20 % worse: nobody may miss it in the first run and after many
    for (const std::size_t later : {20U, 40U}) {
      const RegressionJudgment worse = judged(runs_with(0.2, 0, later, 3, direction));
      if (detector.name().find("z-score") == std::string::npos) {  // whose window has got used to it
        CHECK(worse.verdict == RegressionVerdict::regressed);
        CHECK(worse.change == Approx(0.2).margin(0.04));
      }
      const RegressionJudgment better = judged(runs_with(-0.2, 0, later, 3, direction));
      CHECK(better.verdict == RegressionVerdict::not_regressed);
      if (detector.name().find("z-score") == std::string::npos) CHECK(better.improved);
    }
  }
  // nothing that was not computed is a pass
  RunSeries none = runs_with(0, 0, 20, 4);
  none.baseline_end = 0;
  CHECK(judged(none).verdict == RegressionVerdict::rerun);
  none.baseline_end = 1000;
  CHECK(judged(none).verdict == RegressionVerdict::rerun);
  CHECK(judged(RunSeries{}).verdict == RegressionVerdict::rerun);
  CHECK(judged(runs_with(0, 0, 0, 4)).verdict == RegressionVerdict::rerun);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200})
    for (const std::size_t run : {3U, 49U}) {
      RunSeries spoilt = runs_with(0, 0, 20, 4);
      spoilt.values[run] = bad;
      const RegressionJudgment judgment = judged(spoilt);
      CHECK(judgment.verdict == RegressionVerdict::rerun);
      CHECK_THAT(judgment.reason, contains("run " + std::to_string(run)));
    }
  // runs without any spread, and values around 0 and below
  RunSeries equal = runs_with(0, 0, 20, 4);
  equal.values.assign(50, 7.0);
  CHECK(judged(equal).verdict == RegressionVerdict::not_regressed);
  equal.values.assign(50, 0.0);
  judged(equal);
  RunSeries negative = runs_with(0, 0, 20, 5);
  for (double& value : negative.values) value -= 200;
  judged(negative);
}

/// What charts find beside, with their own options and with `plain` ones, which are not robust.
template <RegressionDetector Chart>
void check_chart_detector(const Chart& plain, const Chart& other) {
  CHECK(accused_of_100(Chart{}, 0, 0.0025, 20) >= 97);
  CHECK(accused_of_100(Chart{}, 0, 0, 20) <= 12);
  RunSeries late = runs_with(0, 0, 210, 2);
  late.baseline_end = 200;
  for (std::size_t run = 230; run < 240; ++run) late.values[run] *= 1.03;
  const RegressionJudgment judgment = Chart{}.judge(late);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(static_cast<double>(judgment.change_point.value()) == Approx(230).margin(3));
  CHECK(judgment.change == Approx(0.03).margin(0.012));

  RunSeries wild = runs_with(0, 0, 12, 9);
  wild.values[35] *= 3;
  CHECK(Chart{}.judge(wild).verdict == RegressionVerdict::not_regressed);
  CHECK(plain.judge(wild).verdict == RegressionVerdict::regressed);

  check_detector(Chart{});
  check_detector(other);
  RunSeries few = runs_with(0, 0, 3, 1);
  few.baseline_end = 9;
  CHECK(Chart{}.judge(few).verdict == RegressionVerdict::rerun);
}

}  // namespace assay::testing
