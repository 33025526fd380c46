#pragma once

#include <cstdio>
#include <cstdlib>

#include "assay/core/result.hpp"

namespace assay::testing {

/// The device of this process, of one of the interfaces; where there is none, the program ends as skipped, with the
/// reason.
template <class Device>
Device& device_or_skip() {
  const auto device = Device::shared();
  if (!device && device.error().kind == ErrorKind::unsupported) {
    std::printf("skipped: %s\n", device.error().message.c_str());
    std::fflush(nullptr);
    std::_Exit(77);
  }
  return *device.value();
}

}  // namespace assay::testing
