#include "assay/performance/history_scan.hpp"

#include <algorithm>
#include <cmath>

#include "assay/performance/default_detector.hpp"
#include "assay/performance/machine_changes.hpp"
#include "performance/history_conformance.hpp"
#include "statistics/noise.hpp"
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

/// Logarithms of runs under the kinds of noise of `bench_regressions`.
enum class NoiseKind { gaussian, bimodal, autocorrelated, heavy_tailed };
constexpr NoiseKind noise_kinds[] = {NoiseKind::gaussian, NoiseKind::bimodal, NoiseKind::autocorrelated,
                                     NoiseKind::heavy_tailed};

std::vector<double> noisy_runs(NoiseKind kind, std::size_t count, std::uint64_t seed) {
  Noise noise(seed);
  std::vector<double> runs;
  for (double state = noise.normal(); runs.size() < count;) switch (kind) {
      case NoiseKind::gaussian: runs.push_back(0.015 * noise.normal()); break;
      case NoiseKind::bimodal: runs.push_back((noise.uniform() < 0.2 ? 0.04 : 0) + 0.005 * noise.normal()); break;
      case NoiseKind::autocorrelated: runs.push_back(0.015 * (state = 0.6 * state + 0.8 * noise.normal())); break;
      case NoiseKind::heavy_tailed:
        runs.push_back(0.01 * noise.normal() / std::sqrt(-std::log(noise.uniform())));
        break;
    }
  return runs;
}

/// What is wrong with series `i` of a simulated history: of ten, four have no evidence behind the baseline.
enum class Planted { nothing, left_out, zero, negative, collapsed };
Planted planted_in(std::size_t i) {
  constexpr Planted by_ten[] = {Planted::left_out, Planted::nothing, Planted::zero,      Planted::nothing,
                                Planted::negative, Planted::nothing, Planted::collapsed, Planted::nothing,
                                Planted::nothing,  Planted::nothing};
  return by_ten[i % 10];
}

/// 1,000 series over 30 runs of version 1 and 30 of version 2, some measured in every second or third run only.
History simulated_history(NoiseKind kind, bool plants, double later = 1) {
  constexpr std::size_t series = 1000, runs = 60, baseline_runs = 30;
  std::vector<HistoryRun> all;
  for (std::size_t run = 0; run < runs; ++run) {
    all.push_back(run_of(run < baseline_runs ? "1" : "2", {point_of("always", {1})}));
    all.back().origin.time = UtcTime(std::chrono::hours(24 * run));
    all.back().origin.environment = {{"host", later != 1 && run >= baseline_runs ? "new" : "old"}};
  }
  for (std::size_t i = 0; i < series; ++i) {
    const std::vector<double> noise = noisy_runs(kind, runs, 4 * i + static_cast<std::uint64_t>(kind));
    const Planted planted = plants ? planted_in(i) : Planted::nothing;
    const std::size_t every = 1 + i / 10 % 3;
    for (std::size_t run = runs - 1; run < runs; run -= every) {
      double value = 1e-3 * std::exp(noise[run]) * (run < baseline_runs ? 1 : later);
      if (planted == Planted::left_out && run + 3 + 3 * (i / 10 % 8) >= runs) continue;
      if (planted == Planted::zero && run >= runs - 5) value = 0;
      if (planted == Planted::negative && run == runs - 1) value = -value;
      if (planted == Planted::collapsed && run >= baseline_runs) value *= i / 10 % 2 == 0 ? 0.02 : 1e-6;
      all[run].points.push_back(point_of("s" + std::to_string(i), {value}));
    }
  }
  History history;
  for (const HistoryRun& run : all) history.add(run);
  return history;
}

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
  CHECK_THAT(outcomes[1].derivation[0], contains("the newest run did not measure it"));
  CHECK(outcomes[1].verdict == Verdict::fail);
  CHECK(outcomes[0].verdict == Verdict::inconclusive);
  CHECK(outcomes[0].label("doubt") == "absent");
}

TEST_CASE("what the newest runs left out is undecided, however the baseline is named") {
  History history = history_of(1);
  for (int i = 0; i < 3; ++i) {
    HistoryRun run = run_of("2", {point_of("steady", {1})});
    run.origin.time = UtcTime(std::chrono::hours(50 + i));
    history.add(run);
  }
  HistoryBaseline by_number;
  by_number.runs = 20;
  by_number.newest = 5;
  for (const HistoryBaseline& baseline : {first, by_number}) {
    const auto outcomes = scan_history(history, baseline, default_detector());
    CHECK(outcomes[0].verdict == Verdict::pass);
    CHECK(outcomes[1].verdict == Verdict::inconclusive);
    CHECK(outcomes[1].label("doubt") == "absent");
    CHECK_THAT(outcomes[1].reason, contains("the newest 3 runs did not measure it"));
  }
}

TEST_CASE("a series that was always measured in every third run may be absent from two") {
  History history;
  for (int i = 0; i < 62; ++i) {
    HistoryRun run = run_of(i < 31 ? "1" : "2", {point_of("nightly", {1 + 0.001 * (i % 7)})});
    if (i % 3 == 0) run.points.push_back(point_of("weekly", {2 + 0.002 * (i % 5)}));
    run.origin.time = UtcTime(std::chrono::hours(i));
    history.add(run);
  }
  CHECK(scan_history(history, first, default_detector())[1].verdict == Verdict::pass);
  for (int i = 62; i < 64; ++i) {
    HistoryRun run = run_of("2", {point_of("nightly", {1})});
    run.origin.time = UtcTime(std::chrono::hours(i));
    history.add(run);
  }
  CHECK(scan_history(history, first, default_detector())[1].verdict == Verdict::inconclusive);
}

TEST_CASE("values of nothing are no improvement") {
  const auto scanned = [](double later, const std::string& unit, Direction direction) {
    History history;
    for (int i = 0; i < 40; ++i) {
      HistoryRun run = run_of(i < 20 ? "1" : "2", {});
      const double noise = 1 + 0.001 * (i % 7);
      run.points = {{"a", {}, {"m", unit, direction, {i < 20 ? 100 * noise : later * noise}, ""}}};
      run.origin.time = UtcTime(std::chrono::hours(i));
      history.add(run);
    }
    return scan_history(history, first, default_detector()).front();
  };
  constexpr auto lower = Direction::lower_is_better, higher = Direction::higher_is_better;
  for (const double nothing : {0.0, -1.0, 2.9, 0.001}) {
    CAPTURE(nothing);
    CHECK(scanned(nothing, "s", lower).verdict == Verdict::inconclusive);
    CHECK(scanned(nothing, "s", lower).label("doubt") == "suspicious");
  }
  CHECK(scanned(50, "s", lower).verdict == Verdict::pass);
  CHECK(scanned(1e5, "tok/s", higher).verdict == Verdict::inconclusive);
  CHECK(scanned(150, "tok/s", higher).verdict == Verdict::pass);
  CHECK(scanned(0, "tok/s", higher).verdict == Verdict::fail);
  CHECK(scanned(0, "errors", lower).verdict == Verdict::pass);  // what everybody wants
  CHECK(scanned(300, "errors", lower).verdict == Verdict::fail);
  CHECK(scanned(300, "drops", higher).verdict == Verdict::inconclusive);
}

TEST_CASE("what moves all series by one factor is told once") {
  const auto scanned = [](int slower) {
    History history;
    detail::RandomSequence random(3);
    for (int i = 0; i < 40; ++i) {
      HistoryRun run = run_of(i < 20 ? "1" : "2", {});
      for (int series = 0; series < 40; ++series) {
        const double noise = 1 + 0.004 * (static_cast<double>(random.below(1000)) / 500 - 1);
        const double factor = i >= 20 && series < slower ? 1.1 : 1;
        const std::string name = "s" + std::to_string(series);
        if (series % 2 == 0)
          run.points.push_back(point_of(name, {factor * noise}));
        else
          run.points.push_back({name, {}, {"rate", "1/s", Direction::higher_is_better, {1000 / factor * noise}, ""}});
      }
      run.origin.time = UtcTime(std::chrono::hours(i));
      history.add(run);
    }
    return scan_history(history, first, default_detector());
  };
  const auto count = [](const std::vector<Outcome>& outcomes, Verdict verdict) {
    return std::count_if(outcomes.begin(), outcomes.end(),
                         [&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  const auto all = scanned(40);
  REQUIRE(all.size() == 41);
  CHECK(count(all, Verdict::fail) == 1);
  CHECK(count(all, Verdict::inconclusive) == 40);
  CHECK(all.back().id == "regression/all series together");
  CHECK_THAT(all.back().reason, contains("40 of 40 series got slower by 1") && contains("together"));
  const auto some = scanned(20);
  CHECK(some.size() == 40);
  CHECK(count(some, Verdict::fail) == 20);
  CHECK(count(scanned(0), Verdict::pass) == 40);
}

TEST_CASE("an empty history has no outcomes") {
  CHECK(scan_history(History(), first, default_detector()).empty());
}

TEST_CASE("of 1,000 series under each kind of noise none that was measured is doubted, and none that was not passes",
          "[.long]") {
  for (const NoiseKind kind : noise_kinds) {
    const History history = simulated_history(kind, true);
    const auto outcomes = scan_history(history, first, default_detector());
    REQUIRE(outcomes.size() == 1001);
    std::size_t accused = 0, doubted = 0, missed = 0, without_evidence = 0;
    for (const Outcome& outcome : outcomes) {
      const std::string name = outcome.id.substr(std::string("regression/").size());
      const Planted planted = name[0] == 's' ? planted_in(std::stoul(name.substr(1))) : Planted::nothing;
      CAPTURE(static_cast<int>(kind), outcome.id, outcome.reason);
      if (planted == Planted::nothing) {
        accused += outcome.verdict == Verdict::fail ? 1 : 0;
        doubted += outcome.label("doubt").empty() ? 0 : 1;
        continue;
      }
      ++without_evidence;
      missed += outcome.verdict == Verdict::pass ? 1 : 0;
      CHECK(outcome.verdict == Verdict::inconclusive);
      CHECK(outcome.label("doubt") == (planted == Planted::left_out ? "absent" : "suspicious"));
    }
    CAPTURE(static_cast<int>(kind), accused, doubted, missed);
    CHECK(without_evidence == 400);
    CHECK(missed == 0);
    CHECK(doubted == 0);
    CHECK(accused <= 6);  // of 601; `bench_regressions` has 0.2 to 4.2 of 1,000 a night, before correction
    CHECK(machine_changes(history, first).empty());
    CHECK(clock_that_went_back(history).empty());
  }
}

TEST_CASE("1,000 series that another machine made slower are one finding under each kind of noise", "[.long]") {
  for (const NoiseKind kind : noise_kinds)
    for (const double later : {1.0, 1.3}) {
      const History history = simulated_history(kind, false, later);
      const auto outcomes = scan_history(history, first, default_detector());
      const auto failures =
          std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.verdict == Verdict::fail; });
      CAPTURE(static_cast<int>(kind), later, failures);
      if (later == 1) {
        CHECK(outcomes.size() == 1001);
        CHECK(failures <= 10);
        CHECK(machine_changes(history, first).empty());
      } else {
        REQUIRE(outcomes.size() == 1002);
        CHECK(outcomes.back().id == "regression/all series together");
        CHECK(outcomes.back().verdict == Verdict::fail);
        CHECK(failures == 1);
        CHECK(machine_changes(history, first) == std::vector<std::string>{"host: old; newest new"});
      }
    }
}
