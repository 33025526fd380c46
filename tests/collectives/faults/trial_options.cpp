#include "assay/collectives/faults/trial_options.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the flights that show a slow rank hold all of its loop", "[collectives]") {
  const TrialOptions options;
  CHECK(options.iterations <= 60);  // the records that ranks exchange
  CHECK(options.least_slowdown > 1);
  CHECK_FALSE(options.keep);
}
