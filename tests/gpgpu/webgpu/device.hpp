#pragma once

#include <cstdio>
#include <cstdlib>

#include "assay/gpgpu/webgpu/webgpu_device.hpp"

namespace assay::testing {

/// The device of this process; where there is none, the program ends as skipped, with the reason.
inline WebGpuDevice& webgpu_device_or_skip() {
  const auto device = WebGpuDevice::shared();
  if (!device && device.error().kind == ErrorKind::unsupported) {
    std::printf("skipped: %s\n", device.error().message.c_str());
    std::fflush(nullptr);
    std::_Exit(77);
  }
  return *device.value();
}

}  // namespace assay::testing
