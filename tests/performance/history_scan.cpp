#include "assay/performance/history_scan.hpp"

#include "assay/performance/default_detector.hpp"
#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// 30 runs of version 1 and 12 of version 2 with 1 % of noise; `later` is what the second multiplies seconds by, and
/// divides rates.
History history_of(double later, bool in_baseline = true) {
  History history;
  detail::RandomSequence random(9);
  const auto noise = [&] { return 1 + 0.01 * (static_cast<double>(random.below(1000)) / 500 - 1); };
  for (int i = 0; i < 42; ++i) {
    const double factor = i < 30 ? 1 : later;
    HistoryRun run = run_of(i < 30 ? "1" : "2", {point_of("steady", {noise(), noise(), noise()})});
    if (in_baseline || i >= 30) {
      run.points.push_back(point_of("gemm", {factor * noise(), factor * noise(), factor * noise()}));
      run.points.push_back({"gemm", {}, {"rate", "1/s", Direction::higher_is_better, {100 / factor * noise()}, ""}});
    }
    run.origin.time = UtcTime(std::chrono::hours(i));
    history.add(run);
  }
  return history;
}

const HistoryBaseline first{{{"version", "1"}}};

}  // namespace

TEST_CASE("what got slower fails, what did not passes, in the order of the series") {
  const History history = history_of(1.1);
  const auto outcomes = scan_history(history, first, default_detector());
  REQUIRE(outcomes.size() == 3);
  CHECK(outcomes[0].id == "regression/steady/seconds");
  CHECK(outcomes[0].verdict == Verdict::pass);
  CHECK(outcomes[1].id == "regression/gemm/seconds");
  CHECK(outcomes[1].verdict == Verdict::fail);
  CHECK(outcomes[2].verdict == Verdict::fail);
  CHECK(outcomes[1].measurement(measurement::regression_percent).value() == Approx(10).margin(1));
  CHECK(outcomes[2].measurement(measurement::regression_percent).value() == Approx(9).margin(1));
  CHECK(outcomes[1].label("version") == "2");
  CHECK(outcomes[1].label("unit") == "s");
  CHECK(outcomes[1].derivation.empty());
}

TEST_CASE("what got faster is no regression") {
  for (const Outcome& outcome : scan_history(history_of(0.8), first, default_detector()))
    CHECK(outcome.verdict == Verdict::pass);
}

TEST_CASE("a metric that the baseline did not measure is a new baseline, not a pass") {
  const auto outcomes = scan_history(history_of(1.1, false), first, default_detector());
  CHECK(outcomes[0].verdict == Verdict::pass);
  CHECK(outcomes[1].verdict == Verdict::new_baseline);
  CHECK_THAT(outcomes[1].reason, contains("no run of the baseline measured it; 12 runs did"));
}

TEST_CASE(
    "a metric that was not measured since the baseline decides nothing, and one that later runs left out says so") {
  History history = history_of(1.1);
  history.add(run_of("1", {point_of("gone", {1})}));  // in 2023: later than all
  const auto outcomes = scan_history(history, first, default_detector());
  REQUIRE(outcomes.size() == 4);
  CHECK(outcomes[3].verdict == Verdict::inconclusive);
  CHECK_FALSE(outcomes[3].reason.empty());
  REQUIRE(outcomes[1].derivation.size() == 1);
  CHECK_THAT(outcomes[1].derivation[0], contains("1 later runs of this history did not measure it"));
}

TEST_CASE("an empty history has no outcomes") {
  CHECK(scan_history(History(), first, default_detector()).empty());
}
