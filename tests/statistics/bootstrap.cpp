#include "assay/statistics/bootstrap.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::Noise;

namespace {
/// Runs whose samples share a level of their own: what differs between runs is ten times what differs within.
std::vector<std::vector<double>> runs_of(Noise& noise, std::size_t runs, std::size_t samples, double level) {
  std::vector<std::vector<double>> all(runs);
  for (std::vector<double>& run : all) run = noise.normals(samples, level * (1 + 0.02 * noise.normal()), 0.002 * level);
  return all;
}
}  // namespace

TEST_CASE("the ratio of medians covers as often as promised when whole runs are drawn", "[statistics]") {
  Noise noise(31);
  int held = 0;
  for (int turn = 0; turn < 300; ++turn) {
    const auto baseline = runs_of(noise, 20, 10, 100), candidate = runs_of(noise, 20, 10, 105);
    const RatioInterval ratio =
        bootstrap_median_ratio(baseline, candidate, {400, 0.95, static_cast<std::uint64_t>(turn)});
    held += ratio.lower <= 1.05 && 1.05 <= ratio.upper ? 1 : 0;
  }
  CHECK(held > 270);  // drawing samples instead of runs would hold 40 %
  CHECK(held < 299);
}

TEST_CASE("drawing samples as though they were runs would be far too sure", "[statistics]") {
  Noise noise(32);
  const auto baseline = runs_of(noise, 15, 10, 100), candidate = runs_of(noise, 15, 10, 100);
  std::vector<double> flat_baseline, flat_candidate;
  for (const auto& run : baseline) flat_baseline.insert(flat_baseline.end(), run.begin(), run.end());
  for (const auto& run : candidate) flat_candidate.insert(flat_candidate.end(), run.begin(), run.end());
  const RatioInterval runs = bootstrap_median_ratio(baseline, candidate),
                      samples = bootstrap_median_ratio(flat_baseline, flat_candidate);
  CHECK(runs.estimate == Approx(samples.estimate));
  CHECK(runs.upper - runs.lower > 2 * (samples.upper - samples.lower));
}

TEST_CASE("a seed gives the same interval always, another seed another", "[statistics]") {
  const std::vector<double> baseline{10, 11, 12, 13, 14, 15, 16, 17}, candidate{12, 13, 14, 15, 16, 17, 18, 19};
  const RatioInterval one = bootstrap_median_ratio(baseline, candidate, {500, 0.9, 7}),
                      same = bootstrap_median_ratio(baseline, candidate, {500, 0.9, 7});
  CHECK(one.estimate == 15.5 / 13.5);
  CHECK(one.lower == same.lower);
  CHECK(one.upper == same.upper);
  CHECK(one.lower < one.estimate);
  CHECK(one.estimate < one.upper);
  CHECK(one.lower == Approx(0.965).margin(0.06));
  CHECK(bootstrap_median_ratio(baseline, candidate, {500, 0.5, 7}).upper < one.upper);
}

TEST_CASE("one run on a side leaves an interval without ends", "[statistics]") {
  const std::vector<std::vector<double>> one{{1, 2, 3}}, two{{1, 2, 3}, {2, 3, 4}};
  CHECK(std::isinf(bootstrap_median_ratio(one, two).upper));
  CHECK(bootstrap_median_ratio(two, one).lower == 0);
  CHECK(std::isfinite(bootstrap_median_ratio(two, two).upper));
}

TEST_CASE("a ratio of what has none is refused", "[statistics]") {
  const std::vector<double> fine{1, 2, 3};
  assay::testing::check_refuses_what_is_no_sample(
      [&](const std::vector<double>& x) {
        return bootstrap_median_ratio(x, fine, {100, 0.9, 1}).estimate;
      },
      1);
  assay::testing::check_refuses_what_is_no_sample(
      [&](const std::vector<double>& x) {
        return bootstrap_median_ratio(fine, x, {100, 0.9, 1}).estimate;
      },
      1);
  CHECK_THROWS_AS(bootstrap_median_ratio(std::vector<double>{1, 0}, fine), Misuse);
  CHECK_THROWS_AS(bootstrap_median_ratio(fine, std::vector<double>{1, -2}), Misuse);
  CHECK_THROWS_AS(bootstrap_median_ratio(fine, fine, {10, 0.9, 1}), Misuse);
  CHECK_THROWS_AS(bootstrap_median_ratio(fine, fine, {100, 1, 1}), Misuse);
  const std::vector<std::vector<double>> hollow{{1}, {}};
  CHECK_THROWS_AS(bootstrap_median_ratio(hollow, hollow), Misuse);
}
