#include "assay/statistics/pelt.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

double cost_of(const std::vector<double>& series, std::size_t begin, std::size_t end, NormalCost kind,
               double deviation) {
  double mean = 0, squares = 0, whole_mean = 0, whole = 0;
  const auto n = static_cast<double>(end - begin), all = static_cast<double>(series.size());
  for (std::size_t i = begin; i < end; ++i) mean += series[i] / n;
  for (std::size_t i = begin; i < end; ++i) squares += (series[i] - mean) * (series[i] - mean);
  for (const double value : series) whole_mean += value / all;
  for (const double value : series) whole += (value - whole_mean) * (value - whole_mean) / all;
  return kind == NormalCost::mean ? squares / (deviation * deviation)
                                  : n * std::log(std::max(squares / n, 1e-4 * whole));
}

/// The cost of a segmentation by the definition.
double total_cost(const std::vector<double>& series, const std::vector<std::size_t>& changes,
                  const PeltOptions& options) {
  double total = 0;
  std::size_t begin = 0;
  for (const std::size_t change : changes) {
    total += cost_of(series, begin, change, options.cost, *options.deviation) + *options.penalty;
    begin = change;
  }
  return total + cost_of(series, begin, series.size(), options.cost, *options.deviation);
}

/// The least cost of all segmentations, each of the 2ⁿ⁻¹ tried.
double least_cost(const std::vector<double>& series, const PeltOptions& options) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 0; chosen < 1U << (series.size() - 1); ++chosen) {
    std::vector<std::size_t> changes;
    std::size_t begin = 0;
    bool allowed = true;
    for (std::size_t i = 1; i < series.size(); ++i)
      if ((chosen >> (i - 1) & 1U) != 0) {
        allowed = allowed && i - begin >= options.shortest;
        changes.push_back(begin = i);
      }
    if (allowed && series.size() - begin >= options.shortest)
      least = std::min(least, total_cost(series, changes, options));
  }
  return least;
}

}  // namespace

TEST_CASE("no segmentation of all is better than what is found", "[statistics]") {
  assay::testing::Noise noise(15);
  int with_changes = 0;
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<double> series = noise.normals(6 + static_cast<std::size_t>(turn) % 7, 50);
    for (std::size_t i = series.size() / 3; i < series.size(); ++i) series[i] += 4 * (turn % 3);
    for (std::size_t i = 2 * series.size() / 3; i < series.size(); ++i) series[i] -= 3 * (turn % 4);
    PeltOptions options;
    options.cost = turn % 2 == 0 ? NormalCost::mean : NormalCost::mean_and_deviation;
    options.penalty = turn % 5;
    options.shortest = 1 + static_cast<std::size_t>(turn) % 4;
    options.deviation = 1.3;
    const std::vector<std::size_t> changes = pelt(series, options);
    with_changes += changes.empty() ? 0 : 1;
    CAPTURE(turn);
    CHECK(total_cost(series, changes, options) == Approx(least_cost(series, options)).epsilon(1e-9).margin(1e-9));
    std::size_t begin = 0;
    for (const std::size_t change : changes) {
      CHECK(change - begin >= options.shortest);
      begin = change;
    }
    CHECK(series.size() - begin >= options.shortest);
  }
  CHECK(with_changes > 80);
}

TEST_CASE("pruning changes nothing on long series", "[statistics]") {
  assay::testing::Noise noise(16);
  for (const NormalCost kind : {NormalCost::mean, NormalCost::mean_and_deviation}) {
    std::vector<double> series = noise.normals(300, 10);
    for (std::size_t i = 100; i < 220; ++i) series[i] += 2;
    PeltOptions options{kind, 8.0, 3, 1.0};
    std::vector<double> least(series.size() + 1, std::numeric_limits<double>::infinity());  // without pruning
    least[0] = -8;
    for (std::size_t end = 3; end <= series.size(); ++end)
      for (std::size_t start = 0; start + 3 <= end; ++start)
        if (start == 0 || start >= 3)
          least[end] = std::min(least[end], least[start] + cost_of(series, start, end, NormalCost::mean, 1) + 8);
    const std::vector<std::size_t> changes = pelt(series, options);
    CHECK_FALSE(changes.empty());
    if (kind == NormalCost::mean) CHECK(total_cost(series, changes, options) == Approx(least.back()).epsilon(1e-9));
  }
}

TEST_CASE("steps are found where they are, with the penalty and the deviation left to it", "[statistics]") {
  assay::testing::Noise noise(18);
  std::vector<double> series = noise.normals(300, 1000, 5);
  for (std::size_t i = 120; i < series.size(); ++i) series[i] += 20;
  const std::vector<std::size_t> found = pelt(series);
  REQUIRE(found.size() == 1);
  CHECK(static_cast<double>(found[0]) == Approx(120).margin(1));
  PeltOptions options;
  options.cost = NormalCost::mean_and_deviation;
  options.shortest = 5;
  std::vector<double> spread = noise.normals(200, 0, 1), wide = noise.normals(200, 0, 4);
  spread.insert(spread.end(), wide.begin(), wide.end());
  CHECK(pelt(spread).size() > 1);  // the wider noise looks like many levels
  const std::vector<std::size_t> of_spread = pelt(spread, options);
  REQUIRE(of_spread.size() == 1);
  CHECK(static_cast<double>(of_spread[0]) == Approx(200).margin(8));
}

TEST_CASE("series without change seldom have one", "[statistics]") {
  assay::testing::Noise noise(19);
  int accused = 0;
  for (int turn = 0; turn < 400; ++turn) accused += pelt(noise.normals(100)).empty() ? 0 : 1;
  CHECK(accused < 60);
  CHECK(accused > 4);
}

TEST_CASE("constant, short and extreme series", "[statistics]") {
  CHECK(pelt(std::vector<double>(50, 3.0)).empty());
  CHECK(pelt(std::vector<double>{}).empty());
  CHECK(pelt(std::vector<double>{1, 2, 30, 40, 50}).empty());
  CHECK(pelt(std::vector<double>{0, 0, 0, 0, 0, 10, 10, 10, 10, 10}) == std::vector<std::size_t>{5});
  CHECK(pelt(std::vector<double>{-1e150, -1e150, -1e150, -1e150, 1e150, 1e150, 1e150, 1e150}) ==
        std::vector<std::size_t>{4});
  assay::testing::Noise noise(20);
  CHECK(pelt(noise.normals(5000)).size() < 3);
}

TEST_CASE("change points of NaN, infinities and impossible options are refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return pelt(x).size(); }, 0);
  const std::vector<double> fine(10, 1.0);
  CHECK_THROWS_AS(pelt(fine, {NormalCost::mean, -1.0, 3, {}}), Misuse);
  CHECK_THROWS_AS(pelt(fine, {NormalCost::mean, std::numeric_limits<double>::quiet_NaN(), 3, {}}), Misuse);
  CHECK_THROWS_AS(pelt(fine, {NormalCost::mean, {}, 0, {}}), Misuse);
  CHECK_THROWS_AS(pelt(fine, {NormalCost::mean, {}, 3, 0.0}), Misuse);
}
