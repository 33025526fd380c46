#include "assay/statistics/ewma.hpp"

#include "statistics/noise.hpp"
#include "statistics/run_length.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

double computed_run_length(const EwmaOptions& options, double shift) {
  constexpr std::size_t states = 201;
  const double reach = EwmaChart(options).reach(), width = 2 * reach / states;
  return assay::testing::average_run_length(states, states / 2, [&](std::size_t i, std::size_t j) {
    const double from = -reach + (static_cast<double>(i) + 0.5) * width,
                 to = -reach + (static_cast<double>(j) + 0.5) * width;
    const auto below = [&](double average) {
      return detail::normal_probability_below((average - (1 - options.weight) * from) / options.weight - shift);
    };
    return below(to + width / 2) - below(to - width / 2);
  });
}

double simulated_run_length(double shift, int turns) {
  assay::testing::Noise noise(78);
  double runs = 0;
  for (int turn = 0; turn < turns; ++turn) {
    EwmaChart chart;
    while (!chart.add(shift + noise.normal())) {
    }
    runs += static_cast<double>(chart.count());
  }
  return runs / turns;
}

}  // namespace

TEST_CASE("the run lengths of λ = 0.2, L = 2.962 are those of the literature", "[statistics]") {
  const double quiet = computed_run_length({}, 0), shifted = computed_run_length({}, 1);
  CHECK(quiet == Approx(500).epsilon(0.005));  // Lucas and Saccucci, table 3
  CHECK(shifted == Approx(10.5).epsilon(0.005));
  CHECK(simulated_run_length(0, 2000) == Approx(quiet).epsilon(0.08));
  CHECK(simulated_run_length(1, 20000) == Approx(shifted).epsilon(0.02));
}

TEST_CASE("a rise and a fall are told apart", "[statistics]") {
  EwmaChart chart;
  CHECK(chart.reach() == Approx(2.962 / 3));
  int runs = 0;
  while (!chart.add(2)) ++runs;
  CHECK(chart.rise());
  CHECK_FALSE(chart.fall());
  CHECK(runs == 3);  // 2·(1 − 0.8ⁿ) > 0.987 at n = 4
  while (!chart.fall()) chart.add(-2);
  CHECK_FALSE(chart.rise());
  chart.add(std::numeric_limits<double>::infinity());
  CHECK(chart.rise());
}

TEST_CASE("with a weight of 1 the chart is Shewhart's", "[statistics]") {
  EwmaChart chart({1, 3});
  CHECK_FALSE(chart.add(2.9));
  CHECK(chart.add(3.1));
  CHECK(chart.add(-3.1));
  CHECK(computed_run_length({1, 3}, 0) == Approx(370.4).epsilon(0.01));
}

TEST_CASE("an average of what is no number is refused", "[statistics]") {
  EwmaChart chart;
  CHECK_THROWS_AS(chart.add(std::numeric_limits<double>::quiet_NaN()), Misuse);
  for (const double bad : {0.0, -0.2, 1.1, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(EwmaChart({bad, 3}), Misuse);
  for (const double bad : {0.0, std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(EwmaChart({0.2, bad}), Misuse);
}
