#include "assay/suite/run_options.hpp"

#include "testing/catch.hpp"

TEST_CASE("a run that nobody configured runs every case once, one at a time, to the end", "[suite]") {
  const assay::RunOptions options;
  CHECK(options.repetitions == 1);
  CHECK(options.retries == 0);
  CHECK(options.jobs == 1);
  CHECK(options.stop == nullptr);
  CHECK(options.reproduce_with.empty());
}
