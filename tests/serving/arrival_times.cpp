#include "assay/serving/arrival_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

/// Variance of the gaps over their squared mean: 0 of a clock, 1 of Poisson, 1/shape of gamma.
double squared_variation(const std::vector<double>& times) {
  double mean = 0, square = 0;
  const auto n = static_cast<double>(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i) mean += (times[i] - times[i - 1]) / n;
  for (std::size_t i = 1; i < times.size(); ++i) square += std::pow(times[i] - times[i - 1] - mean, 2) / n;
  return square / (mean * mean);
}

}  // namespace

TEST_CASE("arrivals have the rate and the variation of their process", "[serving]") {
  assay::ArrivalOptions options;
  options.rate = 100;
  options.seconds = 100;
  for (const auto& [process, burstiness, variation] :
       {std::tuple{assay::ArrivalProcess::constant, 1.0, 0.0}, std::tuple{assay::ArrivalProcess::poisson, 1.0, 1.0},
        std::tuple{assay::ArrivalProcess::gamma, 0.25, 4.0}, std::tuple{assay::ArrivalProcess::gamma, 4.0, 0.25}}) {
    options.process = process;
    options.burstiness = burstiness;
    const auto times = assay::arrival_times(options).value();
    CHECK(static_cast<double>(times.size()) == Approx(10'000).epsilon(0.05));
    CHECK(squared_variation(times) == Approx(variation).epsilon(0.1).margin(1e-9));
    CHECK(times == assay::arrival_times(options).value());
  }
  options.process = assay::ArrivalProcess::poisson;
  const auto first = assay::arrival_times(options).value();
  options.seed = 2;
  CHECK(first != assay::arrival_times(options).value());
}

TEST_CASE("a ramp climbs linearly, up and down to nothing", "[serving]") {
  assay::ArrivalOptions options;
  options.rate = 10;
  options.final_rate = 190;
  options.seconds = 100;
  const auto times = assay::arrival_times(options).value();
  CHECK(static_cast<double>(times.size()) == Approx(10'000).epsilon(0.05));
  const auto half = std::lower_bound(times.begin(), times.end(), 50.0) - times.begin();
  CHECK(static_cast<double>(half) == Approx(10 * 50 + 0.5 * 1.8 * 2500).epsilon(0.05));
  options.rate = 190;
  options.final_rate = 1e-3;
  CHECK(static_cast<double>(assay::arrival_times(options).value().size()) == Approx(9500).epsilon(0.05));
}

TEST_CASE("loads that are none are refused", "[serving]") {
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_FALSE(assay::arrival_times({assay::ArrivalProcess::poisson, bad}));
    assay::ArrivalOptions options;
    options.seconds = bad;
    CHECK_FALSE(assay::arrival_times(options));
  }
  assay::ArrivalOptions options;
  options.rate = 1e-9;
  CHECK_THAT(assay::arrival_times(options).error().message, contains("no request arrives"));
  options.rate = 1e6;
  options.most = 10;
  CHECK(assay::arrival_times(options).value().size() == 10);
}
