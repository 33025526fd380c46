#include "assay/telemetry/vendor_library.hpp"

#include "testing/catch.hpp"

namespace {

struct OneSensor final : assay::VendorLibrary {
  OneSensor() {
    devices_.push_back({"a", "", "gpu", ""});
    sensors_.push_back({0, assay::Quantity::power, "", "", 1, {}, false});
  }
  assay::Reading read(std::size_t sensor) override { return assay::Reading::of(sensor, 0, 42); }
};

}  // namespace

TEST_CASE("a library is what derives from it") {
  OneSensor library;
  const assay::VendorLibrary& base = library;
  CHECK(base.devices().size() == 1);
  CHECK(base.sensors().size() == 1);
  CHECK(library.read(0).value == 42);
}
