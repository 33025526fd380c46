#include "assay/statistics/order_statistics.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {
const std::vector<double> samples{3.1, 4.7, 1.2, 9.9, 5.5, 2.8, 7.4};
}

TEST_CASE("quantiles of each definition are numpy's",
          "[statistics]") {  // numpy 2, quantile(method=inverted_cdf, linear, median_unbiased)
  struct Row {
    double p, type_1, type_7, type_8;
  };
  for (const Row& row : {Row{0, 1.2, 1.2, 1.2}, Row{0.1, 1.2, 2.16, 1.3066666666666666}, Row{0.25, 2.8, 2.95, 2.85},
                         Row{0.5, 4.7, 4.7, 4.7}, Row{0.9, 9.9, 8.4, 9.733333333333334}, Row{0.99, 9.9, 9.75, 9.9},
                         Row{1, 9.9, 9.9, 9.9}}) {
    CAPTURE(row.p);
    CHECK(quantile(samples, row.p, QuantileDefinition::type_1) == row.type_1);
    CHECK(quantile(samples, row.p) == Approx(row.type_7).epsilon(1e-14));
    CHECK(quantile(samples, row.p, QuantileDefinition::type_8) == Approx(row.type_8).epsilon(1e-14));
  }
}

TEST_CASE("LoadGen's percentile is the sample at the floor of np", "[statistics]") {
  std::vector<double> hundred(100);
  for (std::size_t i = 0; i < 100; ++i) hundred[99 - i] = static_cast<double>(i);
  CHECK(quantile(hundred, 0.99, QuantileDefinition::loadgen) == 99);
  CHECK(quantile(hundred, 0.5, QuantileDefinition::loadgen) == 50);
  CHECK(quantile(hundred, 1, QuantileDefinition::loadgen) == 99);
  CHECK(quantile(hundred, 0.99) == Approx(98.01));
}

TEST_CASE("the median and the median absolute deviation", "[statistics]") {
  CHECK(median(samples) == 4.7);
  CHECK(median_absolute_deviation(samples) == Approx(1.9));
  CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  CHECK(median(std::vector<double>{1e150, 1e150}) == 1e150);
  CHECK(median(std::vector<double>{7}) == 7);
  CHECK(median_absolute_deviation(std::vector<double>{7}) == 0);
  // two of five spoilt: both stay where they are
  CHECK(median(std::vector<double>{10, 11, 12, 1e9, 1e9}) == 12);
  CHECK(median_absolute_deviation(std::vector<double>{10, 11, 12, 1e9, 1e9}) == 2);
}

TEST_CASE("the scaled median absolute deviation estimates the deviation of normal samples", "[statistics]") {
  assay::testing::Noise noise(3);
  CHECK(deviations_per_median_absolute_deviation * median_absolute_deviation(noise.normals(100000, 5, 2)) ==
        Approx(2).epsilon(0.02));
}

TEST_CASE("order statistics of nothing, NaN and infinities are refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return quantile(x, 0.5); }, 1);
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return median(x); }, 1);
  assay::testing::check_refuses_what_is_no_sample(
      [](const std::vector<double>& x) { return median_absolute_deviation(x); }, 1);
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(quantile(samples, p), Misuse);
  CHECK_THROWS_WITH(median(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}),
                    assay::testing::contains("as sample 1"));
}
