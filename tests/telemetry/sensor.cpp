#include "assay/telemetry/sensor.hpp"

#include "testing/catch.hpp"

TEST_CASE("a sensor tells what it reads") {
  CHECK(assay::Sensor{0, assay::Quantity::power, "", "", 1, {}, false}.text() == "power");
  CHECK(assay::Sensor{0, assay::Quantity::temperature, "edge", "", 1, {}, false}.text() == "temperature edge");
  CHECK(assay::Sensor{0, assay::Quantity::temperature_limit, "edge", "critical", 1, {}, true}.text() ==
        "temperature_limit edge (critical)");
}
