#include "assay/backends/cuda.hpp"

#include <string>
#include <vector>

#include "assay/backends/graph_backend.hpp"
#include "backends/backend_conformance.hpp"

using assay::Cuda;

static_assert(assay::BlockBackend<Cuda> && assay::GraphBackend<Cuda>);
static_assert(!assay::backend_runs_on_host<Cuda>);
static_assert(assay::BlockBackend<assay::BasicCuda<assay::detail::DeviceResource<assay::detail::CudaRuntime>>>);

TEST_CASE("CUDA is a backend, or says what it lacks", "[backends]") {
  auto opened = Cuda::open();
  if (!opened) {
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
    CHECK_THAT(opened.error().message,
               assay::testing::contains("CUDA finds no device that it can use (counting devices: "));
    CHECK_THAT(opened.error().message, assay::testing::contains("install the driver, or run where the device is"));
    WARN(opened.error().message);
    return;
  }
  Cuda device = opened.value();  // loops and blocks are checked where the device's compiler makes them: tests/devices
  CHECK(device.name() == "cuda");
  CHECK(device.multiprocessors() > 0);
  CHECK(device.architecture() > 0);
  assay::testing::check_memory(device);
  const auto none = Cuda::open(4096);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(none.error().message, assay::testing::contains("CUDA has no device 4096 on this machine"));
}
