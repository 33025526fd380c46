#include "assay/backends/hip.hpp"

#include <string>
#include <vector>

#include "assay/backends/graph_backend.hpp"
#include "backends/backend_conformance.hpp"

using assay::Hip;

static_assert(assay::BlockBackend<Hip> && assay::GraphBackend<Hip>);
static_assert(!assay::backend_runs_on_host<Hip>);
static_assert(assay::BlockBackend<assay::BasicHip<assay::detail::DeviceResource<assay::detail::HipRuntime>>>);

TEST_CASE("HIP is a backend, or says what it lacks", "[backends]") {
  auto opened = Hip::open();
  if (!opened) {
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
    CHECK_THAT(opened.error().message,
               assay::testing::contains("HIP finds no device that it can use (counting devices: "));
    CHECK_THAT(opened.error().message, assay::testing::contains("install the driver, or run where the device is"));
    WARN(opened.error().message);
    return;
  }
  Hip device = opened.value();  // loops and blocks are checked where the device's compiler makes them: tests/devices
  CHECK(device.name() == "hip");
  CHECK(device.multiprocessors() > 0);
  CHECK(device.architecture() > 0);
  assay::testing::check_memory(device);
  const auto none = Hip::open(4096);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(none.error().message, assay::testing::contains("HIP has no device 4096 on this machine"));
}
