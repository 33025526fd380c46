#include "assay/serving/server_check_options.hpp"

#include "testing/catch.hpp"

TEST_CASE("unless told otherwise a check asks several users several times, and lets batches change rounding",
          "[serving]") {
  const assay::ServerCheckOptions options;
  CHECK(options.users > 1);
  CHECK(options.rounds > 1);
  CHECK(options.samples >= 100);
  CHECK_FALSE(options.require_invariance);
  CHECK(options.only.empty());
}
