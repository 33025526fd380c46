#include "assay/statistics/benjamini_hochberg.hpp"

#include <algorithm>

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("adjusted p-values are scipy's, in the order given",
          "[statistics]") {  // scipy 1.17 stats.false_discovery_control
  const std::vector<double> adjusted = benjamini_hochberg(std::vector<double>{0.01, 0.04, 0.03, 0.005, 0.5, 0.02});
  const std::vector<double> expected{0.03, 0.048, 0.045, 0.03, 0.5, 0.04};
  REQUIRE(adjusted.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(adjusted[i] == Approx(expected[i]).epsilon(1e-14));
}

TEST_CASE("among a thousand metrics the share of false accusations stays within what is asked", "[statistics]") {
  assay::testing::Noise noise(51);
  double share = 0, found = 0;
  int nights_without_change_that_accuse = 0;
  for (int night = 0; night < 200; ++night) {
    std::vector<double> p(1000), quiet(1000);
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = detail::normal_probability_below(noise.normal() - (i < 50 ? 5 : 0));
      quiet[i] = noise.uniform();
    }
    const std::vector<double> adjusted = benjamini_hochberg(p);
    double wrong = 0, all = 0;
    for (std::size_t i = 0; i < adjusted.size(); ++i)
      if (adjusted[i] <= 0.05) (i < 50 ? found : wrong) += 1, all += 1;
    share += all == 0 ? 0 : wrong / all / 200;
    const std::vector<double> none = benjamini_hochberg(quiet);
    nights_without_change_that_accuse += *std::min_element(none.begin(), none.end()) <= 0.05 ? 1 : 0;
  }
  CHECK(share < 0.055);  // 0.05 · 950/1000 expected; without correction it would be about a half
  CHECK(share > 0.035);
  CHECK(found / (200 * 50) > 0.9);
  CHECK(nights_without_change_that_accuse < 25);  // 5 % of 200 expected
}

TEST_CASE("extreme p-values, none, and what is none", "[statistics]") {
  CHECK(benjamini_hochberg(std::vector<double>{}).empty());
  CHECK(benjamini_hochberg(std::vector<double>{0, 1, 1}) == std::vector<double>{0, 1, 1});
  CHECK(benjamini_hochberg(std::vector<double>{0.03}) == std::vector<double>{0.03});
  for (const double bad :
       {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(benjamini_hochberg(std::vector<double>{0.5, bad}), Misuse);
}
