#include "assay/statistics/autocorrelation.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {
std::vector<double> autoregressive(double correlation, std::size_t count, std::uint64_t seed) {
  assay::testing::Noise noise(seed);
  double state = noise.normal();
  std::vector<double> series(count);
  for (double& value : series)
    value = state = correlation * state + std::sqrt(1 - correlation * correlation) * noise.normal();
  return series;
}
}  // namespace

TEST_CASE("autocorrelation at lag 1, by hand in numpy", "[statistics]") {
  CHECK(lag_1_autocorrelation(std::vector<double>{1, 2, 3, 2, 1, 2, 3, 4, 3, 2}) == Approx(0.3345679012345679));
  CHECK(lag_1_rank_autocorrelation(std::vector<double>{1, 2, 3, 100, 1, 2, 3, 4, 3, 2}) ==
        Approx(0.057692307692307696));  // ranks of scipy.stats.rankdata
  CHECK(lag_1_autocorrelation(std::vector<double>(5, 0.1)) == Approx(0).margin(1));
  CHECK(lag_1_autocorrelation(std::vector<double>{1e150, -1e150, 1e150, -1e150}) == Approx(-0.75));
}

TEST_CASE("the inflation of a mean's variance is that of an autoregressive series", "[statistics]") {
  CHECK(variance_inflation(autoregressive(0, 20000, 1)) == Approx(1).margin(0.05));
  CHECK(variance_inflation(autoregressive(0.6, 20000, 2)) ==
        Approx(4).epsilon(0.12));  // ranks are a little less correlated than values
  CHECK(variance_inflation(autoregressive(-0.6, 20000, 2)) == 1);
}

TEST_CASE("the bias of short series is taken back", "[statistics]") {
  double plain = 0, ranks = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<double> series = autoregressive(0.6, 30, 100 + seed);
    plain += lag_1_autocorrelation(series) / 400;
    const double inflation = variance_inflation(series);
    ranks += (inflation - 1) / (inflation + 1) / 400;
  }
  CHECK(plain < 0.53);
  CHECK(ranks > 0.55);
  CHECK(ranks < 0.65);
}

TEST_CASE("one extreme run does not hide autocorrelation from the ranks", "[statistics]") {
  std::vector<double> series = autoregressive(0.6, 200, 5);
  series[100] = 1e6;
  CHECK(lag_1_autocorrelation(series) < 0.05);
  CHECK(lag_1_rank_autocorrelation(series) > 0.45);
}

TEST_CASE("fewer than ten runs tell nothing of autocorrelation", "[statistics]") {
  CHECK(variance_inflation(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}) == 1);
  CHECK(variance_inflation(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) > 10);
  CHECK(variance_inflation(std::vector<double>(50, 3.0)) < 1.2);
  assay::testing::check_refuses_what_is_no_sample(
      [](const std::vector<double>& x) { return lag_1_rank_autocorrelation(x); }, 2);
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return lag_1_autocorrelation(x); },
                                                  2);
}
