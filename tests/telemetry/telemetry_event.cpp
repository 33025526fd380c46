#include "assay/telemetry/telemetry_event.hpp"

#include "testing/catch.hpp"

TEST_CASE("an event that says nothing asks for nothing") {
  const assay::TelemetryEvent event;
  CHECK(!event.fatal);
  CHECK(event.action.empty());
  CHECK(event.code == 0);
}
