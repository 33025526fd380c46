#include "assay/release/dashboard.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("parts of a dashboard are absent until they are given") {
  const Dashboard dashboard;
  CHECK_FALSE(dashboard.gate);
  CHECK_FALSE(dashboard.compatibility);
  CHECK_FALSE(dashboard.history);
  CHECK(dashboard.runs.empty());
}
