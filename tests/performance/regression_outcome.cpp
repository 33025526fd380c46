#include "assay/performance/regression_outcome.hpp"

#include "assay/performance/default_detector.hpp"
#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::runs_with;

TEST_CASE("a regression fails, its absence passes, and what nobody can tell is inconclusive", "[performance]") {
  CHECK(verdict_of(RegressionVerdict::regressed) == Verdict::fail);
  CHECK(verdict_of(RegressionVerdict::not_regressed) == Verdict::pass);
  CHECK(verdict_of(RegressionVerdict::rerun) == Verdict::inconclusive);
}

TEST_CASE("a gate reads from an outcome how bad it is", "[performance]") {
  const RunSeries series = runs_with(0.05, 0, 20, 3);
  const RegressionJudgment judgment = default_detector().judge(series);
  const Outcome outcome = regression_outcome(series, judgment);
  CHECK(outcome.id == "regression/gemm/seconds");
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason == judgment.reason);
  CHECK(outcome.measurement(measurement::regression_percent).value() == Approx(5).margin(1));
  CHECK(outcome.measurement(measurement::regression_lower_percent).value() == Approx(100 * judgment.lower));
  CHECK(outcome.measurement(measurement::regression_upper_percent).value() == Approx(100 * judgment.upper));
  CHECK(outcome.measurement(measurement::regression_p_value).value() < 0.01);
  CHECK(outcome.measurement(measurement::baseline_runs).value() == 30);
  CHECK(outcome.measurement(measurement::change_point).value() == Approx(30).margin(1));
  CHECK_FALSE(outcome.measurement(measurement::more_runs).has_value());
  CHECK(outcome.label("change") == "worse");
  CHECK(outcome.label("operation") == "regression");
  REQUIRE(outcome.series.size() == 1);
  CHECK(outcome.series[0].points.size() == 50);
  CHECK(regression_outcome(series, judgment, 10).series[0].points.front().first == 40);
  CHECK(regression_outcome(runs_with(-0.05, 0, 20, 3), default_detector().judge(runs_with(-0.05, 0, 20, 3)))
            .label("change") == "better");
}

TEST_CASE("what was not measured has no number", "[performance]") {
  const RunSeries series = runs_with(0, 0, 0, 3);
  const Outcome outcome = regression_outcome(series, default_detector().judge(series));
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_FALSE(outcome.reason.empty());
  CHECK_FALSE(outcome.measurement(measurement::regression_percent).has_value());
  CHECK_FALSE(outcome.measurement(measurement::regression_upper_percent).has_value());
  CHECK(outcome.label("change") == "unknown");
  CHECK(regression_outcome("x", RegressionJudgment{}).verdict == Verdict::inconclusive);
}
