#include "assay/statistics/e_divisive.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

/// Q by its definition, in O(n²).
double energy(const std::vector<double>& series, std::size_t split) {
  const auto mean_distance = [&](std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end,
                                 bool within) {
    double sum = 0, count = 0;
    for (std::size_t i = a_begin; i < a_end; ++i)
      for (std::size_t j = within ? i + 1 : b_begin; j < b_end; ++j) {
        sum += std::abs(series[i] - series[j]);
        ++count;
      }
    return count == 0 ? 0 : sum / count;
  };
  const std::size_t n = series.size();
  const auto before = static_cast<double>(split), after = static_cast<double>(n - split);
  return before * after / (before + after) *
         (2 * mean_distance(0, split, split, n, false) - mean_distance(0, split, 0, split, true) -
          mean_distance(split, n, split, n, true));
}

std::vector<double> with_steps(std::uint64_t seed, std::size_t count,
                               const std::vector<std::pair<std::size_t, double>>& steps) {
  std::vector<double> series = assay::testing::Noise(seed).normals(count, 100, 1);
  for (const auto& [from, size] : steps)
    for (std::size_t i = from; i < count; ++i) series[i] += size;
  return series;
}

}  // namespace

TEST_CASE("the textbook's step has Q = 50 at 5", "[statistics]") {
  const ChangePoint split = largest_energy_split(std::vector<double>{0, 0, 0, 0, 0, 10, 10, 10, 10, 10});
  CHECK(split.position == 5);
  CHECK(split.statistic == Approx(50));
}

TEST_CASE("the statistic is its definition's, whatever the values", "[statistics]") {
  assay::testing::Noise noise(12);
  for (int turn = 0; turn < 60; ++turn) {
    const std::size_t n = 2 + static_cast<std::size_t>(turn) % 23, shortest = 1 + static_cast<std::size_t>(turn) % 3;
    std::vector<double> series = noise.normals(n, turn % 2 == 0 ? 1e6 : 0);
    if (turn % 3 == 0)
      for (double& value : series) value = std::nearbyint(value);
    ChangePoint best;
    for (std::size_t split = shortest; split + shortest <= n; ++split)
      if (const double q = energy(series, split); best.position == 0 || q > best.statistic) best = {split, q, 1};
    const ChangePoint found = largest_energy_split(series, shortest);
    CHECK((found.position == 0) == (best.position == 0));
    CHECK(found.statistic == Approx(best.statistic).epsilon(1e-6).margin(1e-9));
    if (found.position != 0) CHECK(energy(series, found.position) == Approx(best.statistic).epsilon(1e-6).margin(1e-9));
  }
}

TEST_CASE("steps are found where they are", "[statistics]") {
  const std::vector<ChangePoint> found = e_divisive(with_steps(4, 200, {{60, 3}, {140, -2}}));
  REQUIRE(found.size() == 2);
  CHECK(static_cast<double>(found[0].position) == Approx(60).margin(2));
  CHECK(static_cast<double>(found[1].position) == Approx(140).margin(3));
  for (const ChangePoint& point : found) {
    CHECK(point.p_value >= 1.0 / 200);  // never 0
    CHECK(point.p_value <= 0.01);
  }
}

TEST_CASE("a change of spread alone is a change", "[statistics]") {
  assay::testing::Noise noise(3);
  std::vector<double> series = noise.normals(80, 0, 1), wide = noise.normals(80, 0, 5);
  series.insert(series.end(), wide.begin(), wide.end());
  const std::vector<ChangePoint> found = e_divisive(series);
  REQUIRE_FALSE(found.empty());
  CHECK(static_cast<double>(found.front().position) == Approx(80).margin(8));
}

TEST_CASE("series without change split as often as the significance says", "[statistics]") {
  const EDivisiveOptions options{0.05, 99, 3, 1};
  int split = 0;
  for (std::uint64_t turn = 0; turn < 1000; ++turn) {
    EDivisiveOptions own = options;
    own.seed = turn;
    const std::vector<ChangePoint> found = e_divisive(with_steps(1000 + turn, 30, {}), own);
    split += found.empty() ? 0 : 1;
    for (const ChangePoint& point : found) CHECK(point.p_value < 0.05 + 1e-9);
  }
  CHECK(split > 30);
  CHECK(split < 72);
}

TEST_CASE("p-values count the series itself, and more permutations make smaller ones possible", "[statistics]") {
  const std::vector<double> series = with_steps(2, 60, {{30, 10}});
  EDivisiveOptions options;
  options.permutations = 99;
  REQUIRE(e_divisive(series, options).size() == 1);
  CHECK(e_divisive(series, options)[0].p_value == Approx(0.01));
  options.permutations = 999;
  CHECK(e_divisive(series, options)[0].p_value == Approx(0.001));
  options.permutations = 98;  // 1/99 > 0.01: nothing could ever be found
  CHECK_THROWS_AS(e_divisive(series, options), Misuse);
}

TEST_CASE("constant and short series have no change points", "[statistics]") {
  CHECK(e_divisive(std::vector<double>(100, 7.0)).empty());
  CHECK(e_divisive(std::vector<double>{}).empty());
  CHECK(e_divisive(std::vector<double>{1, 2, 3, 4, 5}).empty());
  CHECK(largest_energy_split(std::vector<double>{1, 1, 9, 9}).position == 0);
  const std::vector<ChangePoint> exact = e_divisive([] {
    std::vector<double> series(40, 5.0);
    std::fill(series.begin() + 25, series.end(), 5.5);
    return series;
  }());
  REQUIRE(exact.size() == 1);
  CHECK(exact[0].position == 25);
}

TEST_CASE("a series of ten thousand is scanned", "[statistics]") {
  const std::vector<ChangePoint> found = e_divisive(with_steps(8, 10000, {{4000, 1}}));
  REQUIRE_FALSE(found.empty());
  bool near = false;
  for (const ChangePoint& point : found) near = near || (point.position > 3980 && point.position < 4020);
  CHECK(near);
}

TEST_CASE("change points of NaN and infinities are refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return e_divisive(x).size(); }, 0);
  assay::testing::check_refuses_what_is_no_sample(
      [](const std::vector<double>& x) { return largest_energy_split(x).position; }, 0);
  CHECK_THROWS_AS(e_divisive(std::vector<double>{1, 2}, {0, 199, 3, 1}), Misuse);
  CHECK_THROWS_AS(e_divisive(std::vector<double>{1, 2}, {0.01, 199, 0, 1}), Misuse);
}
