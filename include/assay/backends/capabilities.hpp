#pragma once

#include <cstddef>
#include <string>

namespace assay::inline v0 {

/// What a backend says of itself and its device.
struct Capabilities {
  std::string device;            ///< the device's name, for people
  std::size_t memory_bytes = 0;  ///< of the device; 0 if unknown
  unsigned concurrency = 1;      ///< work items that make progress at the same time
  bool host_accessible = false;  ///< whether the host may dereference the backend's buffers
  bool asynchronous = false;     ///< whether work on a stream may outlive the call that submits it
};

}  // namespace assay::inline v0
