#include "assay/statistics/distributions.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("distributions have scipy's values", "[statistics]") {  // scipy 1.17 stats
  CHECK(normal_cdf(-8) == Approx(6.22096057427174e-16).epsilon(1e-12));
  CHECK(normal_cdf(0) == 0.5);
  CHECK(normal_cdf(std::numeric_limits<double>::infinity()) == 1);
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-14));
  CHECK(detail::normal_quantile_of(0.975) == Approx(1.959963984540054).epsilon(1e-14));
  CHECK(detail::normal_quantile_of(1e-300) == Approx(normal_quantile(1e-300)).epsilon(1e-12));
  CHECK_THROWS_AS(detail::normal_quantile_of(0), Misuse);
  CHECK(detail::normal_probability_below(-8) == Approx(normal_cdf(-8)).epsilon(1e-12));
  CHECK(student_t_cdf(2.228138852, 10) == Approx(0.9750000000005817).epsilon(1e-12));
  CHECK(student_t_quantile(0.977, 24) == Approx(2.104414722704815).epsilon(1e-12));
  CHECK(binomial_cdf(3, 10, 0.4) == Approx(0.3822806016).epsilon(1e-12));
  CHECK(binomial_cdf(10, 10, 0.4) == Approx(1));
}

TEST_CASE("Clopper and Pearson's interval of a proportion",
          "[statistics]") {  // scipy 1.17 binomtest(...).proportion_ci(method="exact")
  const ProportionInterval some = proportion_interval(7, 50, 0.95);
  CHECK(some.lower == Approx(0.05819170033997344).epsilon(1e-9));
  CHECK(some.upper == Approx(0.26739600249700846).epsilon(1e-9));
  const ProportionInterval none = proportion_interval(0, 50, 0.95);
  CHECK(none.lower == 0);
  CHECK(none.upper == Approx(0.07112173646420458).epsilon(1e-9));
  CHECK(proportion_interval(50, 50, 0.95).upper == 1);
}

TEST_CASE("the z quantile at 0.995 gives LoadGen's number of queries", "[statistics]") {
  for (const auto& [percentile, queries] :
       {std::pair<double, double>{0.90, 23886}, {0.95, 50425}, {0.97, 85811}, {0.99, 262742}}) {
    const double margin = (1 - percentile) / 20, z = normal_quantile(1 - 0.01 / 2);
    CHECK(z * z * percentile * (1 - percentile) / (margin * margin) == Approx(queries).margin(1));
  }
}

TEST_CASE("what is no probability is refused", "[statistics]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, 1.0, -0.5, nan}) {
    CHECK_THROWS_AS(normal_quantile(bad), Misuse);
    CHECK_THROWS_AS(student_t_quantile(bad, 5), Misuse);
    CHECK_THROWS_AS(binomial_cdf(1, 2, bad), Misuse);
    CHECK_THROWS_AS(proportion_interval(1, 2, bad), Misuse);
  }
  CHECK_THROWS_AS(normal_cdf(nan), Misuse);
  CHECK_THROWS_AS(student_t_cdf(nan, 3), Misuse);
  for (const double bad : {0.0, -1.0, nan}) CHECK_THROWS_AS(student_t_cdf(1, bad), Misuse);
  CHECK_THROWS_AS(binomial_cdf(3, 2, 0.5), Misuse);
  CHECK_THROWS_AS(proportion_interval(0, 0, 0.9), Misuse);
}
