#include "assay/statistics/prediction_interval.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the next of 25 samples with mean 100 and deviation 10", "[statistics]") {
  const PredictionInterval interval = prediction_interval(Moments{25, 100, 10}, 2 * 0.977 - 1);
  CHECK(interval.lower == Approx(78.54).epsilon(1e-4));
  CHECK(interval.upper == Approx(121.46).epsilon(1e-4));
  CHECK(interval.holds(78.55));
  CHECK_FALSE(interval.holds(121.47));
}

TEST_CASE("the next sample lies in it as often as promised, from two samples on", "[statistics]") {
  assay::testing::Noise noise(41);
  for (const std::size_t n : {2U, 5U, 10U}) {
    int held = 0;
    for (int turn = 0; turn < 4000; ++turn)
      held += prediction_interval(noise.normals(n, 7, 3), 0.9).holds(7 + 3 * noise.normal()) ? 1 : 0;
    CHECK(held / 4000.0 == Approx(0.9).margin(0.015));
  }
}

TEST_CASE("equal samples predict themselves", "[statistics]") {
  const PredictionInterval interval = prediction_interval(std::vector<double>{3, 3, 3}, 0.99);
  CHECK(interval.holds(3));
  CHECK_FALSE(interval.holds(3.0001));
}

TEST_CASE("a prediction from nothing, NaN and infinities is refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample(
      [](const std::vector<double>& x) { return prediction_interval(x, 0.9).lower; }, 2);
  const std::vector<double> fine{1, 2, 3};
  for (const double bad : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(prediction_interval(fine, bad), Misuse);
  CHECK_THROWS_AS(prediction_interval(Moments{1, 100, 10}, 0.9), Misuse);
}
