#include "assay/statistics/cusum.hpp"

#include "statistics/noise.hpp"
#include "statistics/run_length.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

/// By the Markov chain of the chart's definition, for z of mean `shift` and deviation 1.
double computed_run_length(const CusumOptions& options, double shift) {
  constexpr std::size_t states = 201;  // the first stands for 0
  const double width = 2 * options.limit / (2 * states - 1);
  return assay::testing::average_run_length(states, 0, [&](std::size_t i, std::size_t j) {
    const double from = static_cast<double>(i) * width - options.allowance + shift;
    const auto below = [&](double sum) { return detail::normal_probability_below(sum - from); };
    const double to = static_cast<double>(j) * width;
    return j == 0 ? below(width / 2) : below(to + width / 2) - below(to - width / 2);
  });
}

double simulated_run_length(double shift, int turns) {
  assay::testing::Noise noise(77);
  double runs = 0;
  for (int turn = 0; turn < turns; ++turn) {
    CusumChart chart;
    while (!chart.add(shift + noise.normal())) {
    }
    runs += static_cast<double>(chart.count());
  }
  return runs / turns;
}

}  // namespace

TEST_CASE("the run lengths of k = 0.5, h = 5 are those of the literature", "[statistics]") {
  const double quiet = computed_run_length({}, 0), shifted = computed_run_length({}, 1);
  CHECK(quiet == Approx(931).epsilon(0.005));
  CHECK(quiet / 2 == Approx(465).epsilon(0.005));  // with a chart for either side
  CHECK(shifted == Approx(10.4).epsilon(0.005));
  CHECK(simulated_run_length(0, 1500) == Approx(quiet).epsilon(0.08));
  CHECK(simulated_run_length(1, 20000) == Approx(shifted).epsilon(0.02));
}

TEST_CASE("a slow drift is found that no single run shows",
          "[statistics]") {  // 0.25 deviations a run over 12 runs: 99.97 %
  assay::testing::Noise noise(6);
  int found = 0;
  for (int turn = 0; turn < 5000; ++turn) {
    CusumChart chart;
    bool alarmed = false;
    for (int run = 1; run <= 12; ++run) alarmed = chart.add(0.25 * run + noise.normal()) || alarmed;
    found += alarmed ? 1 : 0;
  }
  CHECK(found > 4985);
}

TEST_CASE("the chart by hand, and where the rise began", "[statistics]") {
  CusumChart chart({0.5, 2});
  CHECK_FALSE(chart.add(-3));
  CHECK(chart.sum() == 0);
  CHECK_FALSE(chart.add(1));
  CHECK(chart.sum() == 0.5);
  CHECK_FALSE(chart.add(-1));
  CHECK(chart.start() == 3);
  CHECK_FALSE(chart.add(1.5));
  CHECK_FALSE(chart.add(1.5));  // at its limit, not above
  CHECK(chart.add(0.6));
  CHECK(chart.start() == 3);
  CHECK(chart.count() == 6);
  CHECK(chart.add(std::numeric_limits<double>::infinity()));
  CHECK(chart.sum() == largest_sample);
}

TEST_CASE("a cumulative sum of what is no number is refused", "[statistics]") {
  CusumChart chart;
  CHECK_THROWS_AS(chart.add(std::numeric_limits<double>::quiet_NaN()), Misuse);
  CHECK(chart.count() == 0);
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(CusumChart({0.5, bad}), Misuse);
  for (const double bad : {-0.1, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(CusumChart({bad, 5}), Misuse);
}
