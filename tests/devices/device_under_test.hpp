#pragma once

// The device whose compiler compiles this unit: the same sources test CUDA and HIP, and with a compiler of the host
// their emulated twin.
#if defined(__HIPCC__)
#include "assay/backends/hip.hpp"
#elif defined(__CUDACC__)
#include "assay/backends/cuda.hpp"
#else
#include "assay/backends/emulated_device.hpp"
#endif

#include "testing/catch.hpp"

namespace assay::testing {

#if defined(__HIPCC__)
using DeviceUnderTest = Hip;
#elif defined(__CUDACC__)
using DeviceUnderTest = Cuda;
#else
using DeviceUnderTest = EmulatedDevice;
#endif

/// The first device. Where there is none, the refusal is checked and the test case ends: it cannot run here.
[[nodiscard]] inline DeviceUnderTest& device_under_test() {
#if defined(__CUDACC__) || defined(__HIPCC__)
  static Result<DeviceUnderTest> opened = DeviceUnderTest::open(0);
#else
  static Result<DeviceUnderTest> opened = DeviceUnderTest();
#endif
  if (!opened) {
    CHECK(opened.error().kind == ErrorKind::unsupported);
    CHECK_THAT(opened.error().message, contains("device"));
    plain::skip(opened.error().message);
  }
  return opened.value();
}

}  // namespace assay::testing
