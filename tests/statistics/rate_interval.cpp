#include "assay/statistics/rate_interval.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the interval of a rate: Wilson's, with the ends that nothing excludes", "[statistics]") {
  CHECK(rate_interval(0, 0).lower == 0);
  CHECK(rate_interval(0, 0).upper == 1);
  const RateInterval none = rate_interval(0, 10000), all = rate_interval(50, 50), one = rate_interval(1, 10);
  CHECK(none.lower == 0);
  CHECK(none.upper == testing::Approx(3.8400e-4).epsilon(1e-3));  // z² / (n + z²)
  CHECK(all.upper == 1);
  CHECK(all.lower == testing::Approx(0.92865).epsilon(1e-4));
  CHECK(one.lower == testing::Approx(0.017876).epsilon(1e-3));  // as R's prop.test(1, 10, correct = FALSE) gives
  CHECK(one.upper == testing::Approx(0.404150).epsilon(1e-3));
  CHECK(rate_interval(1, 10, 2.576).upper > one.upper);
}
