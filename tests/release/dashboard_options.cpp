#include "assay/release/dashboard_options.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a change of a percent is marked, and pages stay small, unless something else is asked for") {
  const DashboardOptions options;
  CHECK(options.minimum_effect == 0.01);
  CHECK(options.order == SeriesOrder::time);
  CHECK(options.bytes_of_details + options.bytes_of_charts <= 20'000'000);
}
