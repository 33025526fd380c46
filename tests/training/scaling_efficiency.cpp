#include "assay/training/scaling_efficiency.hpp"

#include <cmath>
#include <limits>

#include "assay/tensor/random_values.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Runs with 1 % noise.
ScalingPoint runs(int ranks, double efficiency, std::size_t count, std::optional<double> baseline = 0.9,
                  std::uint64_t seed = 1) {
  ScalingPoint point{ranks, {}, baseline};
  for (std::size_t i = 0; i < count; ++i)
    point.throughput.push_back(100.0 * ranks * efficiency *
                               (1 + 0.01 * standard_normal(random_bits(seed, i, static_cast<std::uint64_t>(ranks)))));
  return point;
}

ScalingPoint exactly(int ranks, std::vector<double> throughput, std::optional<double> baseline = {}) {
  return {ranks, std::move(throughput), baseline};
}

}  // namespace

TEST_CASE("efficiency is throughput by rank, relative to that of the fewest ranks") {
  const ScalingEfficiency found = scaling_efficiency(exactly(2, {200, 200, 200}), exactly(8, {720, 720, 720}));
  CHECK(found.efficiency == testing::Approx(0.9));
  CHECK(found.lower == testing::Approx(0.9));
  CHECK(found.upper == testing::Approx(0.9));
  CHECK(std::isinf(scaling_efficiency(exactly(1, {100, 100}), exactly(2, {100, 101})).upper));
  CHECK(scaling_efficiency(exactly(1, {100, 100}), exactly(2, {100, 101})).lower == 0);
}

TEST_CASE("limits hold the true efficiency as often as they promise, with few runs and with many") {
  for (const std::size_t count : {3u, 5u, 12u}) {
    int below = 0, above = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      ScalingOptions options;
      options.bootstrap.resamples = 400;
      const ScalingEfficiency found =
          scaling_efficiency(runs(1, 1, count, {}, seed), runs(8, 0.9, count, {}, seed), options);
      below += found.lower > 0.9 ? 1 : 0;
      above += found.upper < 0.9 ? 1 : 0;
    }
    INFO(count << " runs");
    CHECK(below < 36);  // 5 % of 400 are 20; four deviations above it 37
    CHECK(above < 36);
    CHECK(below + above > 0);
  }
}

TEST_CASE("losses within the tolerance pass, larger ones fail, and what lies between needs more runs") {
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 12), runs(4, 0.9, 12), runs(8, 0.89, 12)}).verdict == Verdict::pass);
  const Outcome worse = check_scaling_efficiency("a", {runs(8, 0.8, 12), runs(4, 0.9, 12), runs(1, 1, 12)});
  CHECK(worse.verdict == Verdict::fail);
  CHECK_THAT(worse.reason, testing::contains("8 ranks reach an efficiency of 0.79"));
  CHECK_THAT(worse.reason, testing::contains("at least 0.855 is due"));
  REQUIRE(worse.tables.size() == 1);
  CHECK(worse.tables[0].rows.size() == 3);
  CHECK(worse.tables[0].rows[2].back() == "refused");
  CHECK(worse.measurement("efficiency.8").value() == testing::Approx(0.8).epsilon(0.02));
  CHECK(worse.series.size() == 2);
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 12), runs(8, 0.855, 12)}).verdict == Verdict::inconclusive);
}

TEST_CASE("too few runs decide nothing; three a side are enough") {
  const Outcome two = check_scaling_efficiency("a", {runs(1, 1, 2), runs(8, 0.9, 2)});
  CHECK(two.verdict == Verdict::inconclusive);
  CHECK_THAT(two.reason, testing::contains("too few runs"));
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 3), runs(8, 0.95, 3)}).verdict == Verdict::pass);
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 3), runs(8, 0.5, 3)}).verdict == Verdict::fail);
}

TEST_CASE("a floor holds whatever the baseline was, and without either there is nothing to compare with") {
  ScalingOptions options;
  options.floor = 0.9;
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 12), runs(8, 0.8, 12, 0.8)}, options).verdict == Verdict::fail);
  CHECK(check_scaling_efficiency("a", {runs(1, 1, 12), runs(8, 0.95, 12, {})}, options).verdict == Verdict::pass);
  const Outcome first = check_scaling_efficiency("a", {runs(1, 1, 12, {}), runs(8, 0.4, 12, {})});
  CHECK(first.verdict == Verdict::new_baseline);
  CHECK(!first.reason.empty());
}

TEST_CASE("strong scaling tells the serial share") {
  ScalingOptions options;
  options.kind = ScalingKind::strong;
  const auto amdahl = [](double n) { return 100 / (0.1 + 0.9 / n); };
  std::vector<ScalingPoint> points;
  for (const int n : {1, 2, 4, 8}) points.push_back(exactly(n, {amdahl(n), amdahl(n), amdahl(n)}, 0.5));
  const Outcome outcome = check_scaling_efficiency("a", points, options);
  CHECK(outcome.verdict == Verdict::pass);
  REQUIRE(outcome.tables[0].columns[5] == "serial share");
  for (std::size_t row = 1; row < 4; ++row) CHECK(outcome.tables[0].rows[row][5] == "0.100");
}

TEST_CASE("what was not measured is an error, and what makes no sense misuse") {
  for (const double wrong : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    const Outcome outcome = check_scaling_efficiency("a", {exactly(1, {1, 1, 1}), exactly(4, {1, wrong, 1}, 0.9)});
    CHECK(outcome.verdict == Verdict::error);
    CHECK_THAT(outcome.reason, testing::contains("run 1 on 4 ranks"));
  }
  CHECK(check_scaling_efficiency("a", {exactly(1, {1}), exactly(4, {})}).reason == "nothing was measured on 4 ranks");
  CHECK_THROWS_AS(check_scaling_efficiency("a", {exactly(1, {1})}), Misuse);
  CHECK_THROWS_AS(check_scaling_efficiency("a", {exactly(1, {1}), exactly(1, {1})}), Misuse);
  CHECK_THROWS_AS(check_scaling_efficiency("a", {exactly(0, {1}), exactly(1, {1})}), Misuse);
  ScalingOptions options;
  options.tolerance = 1;
  CHECK_THROWS_AS(check_scaling_efficiency("a", {exactly(1, {1}), exactly(2, {1})}, options), Misuse);
}
