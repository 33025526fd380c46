#include "assay/collectives/measurement/sweep_result.hpp"

#include "collectives/measurement/sweep_sample.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("a result sums up its points, without those that were not measured") {
  const SweepResult sample = sweep_sample();
  CHECK(sample.wrong() == 7);
  CHECK(sample.mean_bus_bandwidth() == Approx((3e9 + 3.75e9 + 6.4e6) / 3));
  CHECK(SweepResult{}.mean_bus_bandwidth() == 0);
}
