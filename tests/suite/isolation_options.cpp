#include "assay/suite/isolation_options.hpp"

#include "testing/catch.hpp"

TEST_CASE("isolation that nobody configured sets no limits, forks, and keeps its workers", "[suite][isolation]") {
  const assay::IsolationOptions options;
  CHECK(options.timeout_seconds == 0);
  CHECK(options.memory_bytes == 0);
  CHECK(options.command.empty());
  CHECK(options.environment.empty());
  CHECK(options.recycle_after == 0);
  CHECK(options.start_seconds > 0);
  CHECK(options.output_tail_bytes == 4096);
}
