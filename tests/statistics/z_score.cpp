#include "assay/statistics/z_score.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("a z-score is the distance from the mean in deviations", "[statistics]") {
  const std::vector<double> window{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(z_score(window, 5) == 0);
  CHECK(z_score(window, 5 + 2.138089935299395) == Approx(1));
  CHECK(z_score(std::vector<double>{3, 3, 3}, 3) == 0);
  CHECK(z_score(std::vector<double>{3, 3, 3}, 2) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a limit of 2 on ten runs accuses nine of a hundred runs in which nothing changed", "[statistics]") {
  assay::testing::Noise noise(5);
  int high = 0, low = 0;
  constexpr int turns = 40000;
  for (int turn = 0; turn < turns; ++turn) {
    const double z = z_score(noise.normals(10), noise.normal());
    high += z > 2 ? 1 : 0;
    low += z < -2 ? 1 : 0;
  }
  CHECK(static_cast<double>(high + low) / turns ==
        Approx(0.08890).epsilon(0.05));  // scipy: 2·t.sf(2/√1.1, 9); the folklore says 0.046
  CHECK(static_cast<double>(high) / turns == Approx(0.04445).epsilon(0.07));
}

TEST_CASE("a window on a ramp has the same z-score whatever the slope, and never 2", "[statistics]") {
  for (const std::size_t n : {5U, 10U, 30U})
    for (const double slope : {1e-9, 1.0, 1e9}) {
      std::vector<double> window(n);
      for (std::size_t i = 0; i < n; ++i) window[i] = slope * static_cast<double>(i);
      CHECK(z_score(window, slope * static_cast<double>(n)) ==
            Approx(std::sqrt(3.0 * static_cast<double>(n + 1) / static_cast<double>(n))));
    }
  CHECK(std::sqrt(3.0 * 11 / 10) == Approx(1.817).epsilon(1e-3));
}

TEST_CASE("z-scores of nothing, NaN and infinities are refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return z_score(x, 1); }, 2);
  const std::vector<double> fine{1, 2};
  CHECK_THROWS_AS(z_score(fine, std::numeric_limits<double>::quiet_NaN()), Misuse);
  CHECK_THROWS_AS(z_score(fine, std::numeric_limits<double>::infinity()), Misuse);
}
