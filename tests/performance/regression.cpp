#include "assay/performance/regression.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::contains;
using assay::testing::Noise;

namespace {

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}
std::vector<double> around(Noise& noise, std::size_t count, double level, double spread = 0.01) {
  std::vector<double> values(count);
  for (double& value : values) value = level * std::exp(spread * noise.normal());
  return values;
}

}  // namespace

TEST_CASE("a slower kernel is told, with how much and how surely", "[performance]") {
  Noise noise(1);
  const std::vector<double> baseline = around(noise, 20, 5), candidate = around(noise, 20, 5.15);
  const RegressionJudgment seconds = judge_regression(baseline, candidate, Direction::lower_is_better);
  CHECK(seconds.verdict == RegressionVerdict::regressed);
  CHECK(seconds.change == Approx(0.03).margin(0.008));
  CHECK(seconds.lower > 0.01);
  CHECK(seconds.lower < seconds.change);
  CHECK(seconds.change < seconds.upper);
  CHECK(seconds.p_value.value() < 0.001);
  CHECK(seconds.baseline_count == 20);
  CHECK(seconds.candidate_count == 20);
  CHECK_THAT(seconds.reason, contains("% worse (95 % interval") && contains("beyond the 1 % that are allowed"));
  CHECK_FALSE(seconds.improved);

  // the same numbers as a throughput are an improvement
  const RegressionJudgment throughput = judge_regression(baseline, candidate, Direction::higher_is_better);
  CHECK(throughput.verdict == RegressionVerdict::not_regressed);
  CHECK(throughput.improved);
  CHECK(throughput.change == Approx(-seconds.change));
  CHECK_THAT(throughput.reason, contains("improvement"));
  CHECK(judge_regression(candidate, baseline, Direction::higher_is_better).verdict == RegressionVerdict::regressed);
}

TEST_CASE("what lies around the minimum effect is measured again", "[performance]") {
  Noise noise(2);
  const std::vector<double> baseline = around(noise, 15, 5, 0.02), candidate = around(noise, 15, 5.075, 0.02);
  const RegressionJudgment judgment = judge_regression(baseline, candidate, Direction::lower_is_better);
  CHECK(judgment.verdict == RegressionVerdict::rerun);
  CHECK(judgment.lower <= 0.01);
  CHECK(judgment.upper >= 0.01);
  CHECK_THAT(judgment.reason, contains("cannot be told"));
}

TEST_CASE("three-way verdicts are as sure as they claim", "[performance]") {
  Noise noise(3);
  int regressed_at_the_limit = 0, passed_at_the_limit = 0, right_far_away = 0, right_without_change = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    const std::vector<double> baseline = around(noise, 15, 1);
    const RegressionJudgment limit = judge_regression(baseline, around(noise, 12, 1.01), Direction::lower_is_better);
    regressed_at_the_limit += limit.verdict == RegressionVerdict::regressed ? 1 : 0;
    passed_at_the_limit += limit.verdict == RegressionVerdict::not_regressed ? 1 : 0;
    right_far_away += judge_regression(baseline, around(noise, 12, 1.03), Direction::lower_is_better).verdict ==
                              RegressionVerdict::regressed
                          ? 1
                          : 0;
    right_without_change += judge_regression(baseline, around(noise, 12, 1), Direction::lower_is_better).verdict ==
                                    RegressionVerdict::not_regressed
                                ? 1
                                : 0;
  }
  CHECK(regressed_at_the_limit < 40);  // 2.5 % of 1000 on each side
  CHECK(passed_at_the_limit < 40);
  CHECK(regressed_at_the_limit > 8);
  CHECK(passed_at_the_limit > 8);
  CHECK(right_far_away > 980);
  CHECK(right_without_change > 650);
}

TEST_CASE("as many samples as asked for settle what was undecided", "[performance]") {
  Noise noise(4);
  int settled = 0, asked = 0;
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<double> baseline = around(noise, 8, 1), candidate = around(noise, 8, 1.016);
    const RegressionJudgment first = judge_regression(baseline, candidate, Direction::lower_is_better);
    if (first.verdict != RegressionVerdict::rerun || first.more_samples == 0 || first.more_samples > 200) continue;
    ++asked;
    // an interval shrinks as the root of the number of samples
    const double reach = first.change > 0.01 ? first.change - first.lower : first.upper - first.change,
                 distance = std::abs(first.change - 0.01);
    CHECK(static_cast<double>(8 + first.more_samples) ==
          Approx(8 * 1.1 * (reach / distance) * (reach / distance)).epsilon(0.1).margin(2));
    for (auto* side : {&baseline, &candidate}) {
      const std::vector<double> more = around(noise, first.more_samples, side == &baseline ? 1 : 1.016);
      side->insert(side->end(), more.begin(), more.end());
    }
    settled +=
        judge_regression(baseline, candidate, Direction::lower_is_better).verdict != RegressionVerdict::rerun ? 1 : 0;
  }
  CHECK(asked > 100);
  CHECK(settled > asked / 2);
}

TEST_CASE("too few samples decide nothing, however far they lie apart", "[performance]") {
  const std::vector<double> few{1, 1.1, 1.2}, far{10, 11, 12};
  const RegressionJudgment judgment = judge_regression(few, far, Direction::lower_is_better);
  CHECK(judgment.verdict == RegressionVerdict::rerun);
  CHECK(judgment.more_samples == 1);
  CHECK_THAT(judgment.reason, contains("3 against 3 values are too few") && contains("1 more at least"));
  const std::vector<double> four{1, 1.1, 1.2, 1.15}, far_four{10, 11, 12, 13};
  CHECK(judge_regression(four, far_four, Direction::lower_is_better).verdict == RegressionVerdict::regressed);
}

TEST_CASE("a run that failed is no misuse and no pass", "[performance]") {
  const std::vector<double> fine{1, 2, 3, 4, 5};
  const auto reason = [&](const std::vector<double>& baseline, const std::vector<double>& candidate) {
    const RegressionJudgment judgment = judge_regression(baseline, candidate, Direction::lower_is_better);
    CHECK(judgment.verdict == RegressionVerdict::rerun);
    CHECK_FALSE(judgment.improved);
    return judgment.reason;
  };
  CHECK_THAT(reason({}, fine), contains("the baseline has no samples"));
  CHECK_THAT(reason(fine, {}), contains("the candidate has no samples"));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e200}) {
    CHECK_THAT(reason(fine, {1, bad, 3, bad}), contains("2 of 4 samples of the candidate"));
    CHECK_THAT(reason({bad}, fine), contains("1 of 1 samples of the baseline"));
  }
  CHECK_THAT(reason({0, 0, 0, 0, 1}, fine), contains("median of the baseline is 0"));
}

TEST_CASE("the unit of a metric does not matter, from denormal to huge", "[performance]") {
  Noise noise(6);
  const std::vector<double> baseline = around(noise, 12, 1), candidate = around(noise, 12, 1.04);
  const RegressionJudgment expected = judge_regression(baseline, candidate, Direction::lower_is_better);
  for (const double unit : {1e-300, 1e-9, 1e9, 1e140}) {
    const RegressionJudgment judgment =
        judge_regression(scaled(baseline, unit), scaled(candidate, unit), Direction::lower_is_better);
    CHECK(judgment.verdict == expected.verdict);
    CHECK(judgment.lower == Approx(expected.lower).epsilon(1e-6));
  }
}

TEST_CASE("metrics that may be zero or negative are compared by differences over the baseline's median",
          "[performance]") {
  const std::vector<double> baseline{-10, -10.1, -9.9, -10.2, -9.8, -10}, worse{-9, -9.1, -8.9, -9.2, -8.8, -9};
  const RegressionJudgment rising = judge_regression(baseline, worse, Direction::lower_is_better);
  CHECK(rising.verdict == RegressionVerdict::regressed);
  CHECK(rising.change == Approx(0.1));
  CHECK(judge_regression(baseline, worse, Direction::higher_is_better).improved);
  const std::vector<double> with_zero{0, 1, 1, 1, 1, 1, 1}, more{1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
  CHECK(judge_regression(with_zero, more, Direction::lower_is_better).change == Approx(0.5));
}

TEST_CASE("one wild sample neither makes nor hides a regression", "[performance]") {
  Noise noise(8);
  std::vector<double> baseline = around(noise, 20, 1), same = around(noise, 20, 1), slower = around(noise, 20, 1.04);
  same[7] = 50;
  CHECK(judge_regression(baseline, same, Direction::lower_is_better).verdict == RegressionVerdict::not_regressed);
  baseline[3] = 50;
  CHECK(judge_regression(baseline, slower, Direction::lower_is_better).verdict == RegressionVerdict::regressed);
}

TEST_CASE("the bootstrap finds the same on enough samples", "[performance]") {
  Noise noise(9);
  const std::vector<double> baseline = around(noise, 30, 1), slower = around(noise, 30, 1.04),
                            same = around(noise, 30, 1);
  RegressionOptions options;
  options.method = ShiftMethod::bootstrap_median;
  const RegressionJudgment judgment = judge_regression(baseline, slower, Direction::lower_is_better, options);
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.change == Approx(0.04).margin(0.01));
  CHECK(judge_regression(baseline, same, Direction::lower_is_better, options).verdict != RegressionVerdict::regressed);
  CHECK(judgment.method != judge_regression(baseline, slower, Direction::lower_is_better).method);
  CHECK(judge_regression(slower, baseline, Direction::higher_is_better, options).change ==
        Approx(1 - 1 / 1.04).margin(0.01));
}

TEST_CASE("dependence of the values widens the interval and raises p", "[performance]") {
  Noise noise(10);
  const std::vector<double> baseline = around(noise, 30, 1, 0.02), slower = around(noise, 10, 1.03, 0.02);
  RegressionOptions options;
  options.minimum_effect = 0;
  const RegressionJudgment independent = judge_regression(baseline, slower, Direction::lower_is_better, options);
  options.variance_inflation = 4;
  const RegressionJudgment dependent = judge_regression(baseline, slower, Direction::lower_is_better, options);
  CHECK(dependent.change == independent.change);
  CHECK(dependent.upper - dependent.lower > 1.8 * (independent.upper - independent.lower));
  CHECK(dependent.p_value.value() > 3 * independent.p_value.value());
}
