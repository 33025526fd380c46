#include "assay/backends/resource_usage.hpp"

#include "testing/catch.hpp"

TEST_CASE("what lives is what was given and not given back") {
  assay::ResourceUsage usage;
  CHECK(usage.living() == 0);
  usage.allocations = 5;
  usage.deallocations = 3;
  usage.refusals = 9;
  CHECK(usage.living() == 2);
}
