#include "assay/serving/latency_limits.hpp"

#include "testing/catch.hpp"

TEST_CASE("limits are found by model, and the interactive ones are tighter", "[serving]") {
  const auto* server = assay::find_latency_limits("llama2-70b", false);
  REQUIRE(server != nullptr);
  CHECK(server->first_token == 2.0);
  CHECK(server->per_token == 0.2);
  CHECK(assay::find_latency_limits("nothing", false) == nullptr);
  for (const auto& limits : assay::mlperf_latency_limits) {
    CHECK_FALSE(limits.source.empty());
    const auto* other = assay::find_latency_limits(limits.model, !limits.interactive);
    REQUIRE(other != nullptr);
    CHECK((limits.interactive ? limits.per_token < other->per_token : limits.per_token > other->per_token));
  }
}
