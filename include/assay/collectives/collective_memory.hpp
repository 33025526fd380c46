#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <new>
#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Where a runtime's buffers lie, for who checks it from the host. The default is the host's own memory.
struct CollectiveMemory {
  std::string name = "host";    ///< for messages
  bool host_accessible = true;  ///< the host may read and write through the pointers themselves
  /// At least 256-byte aligned. Errors: `out_of_memory`, `device`.
  std::function<Result<void*>(std::size_t bytes)> allocate = [](std::size_t bytes) -> Result<void*> {
    void* memory = ::operator new (bytes > 0 ? bytes : 1, std::align_val_t{256}, std::nothrow);
    if (memory == nullptr)
      return failure(ErrorKind::out_of_memory,
                     "the host has no " + std::to_string(bytes) + " bytes for a buffer of a collective");
    return memory;
  };
  std::function<void(void* memory, std::size_t bytes)> deallocate = [](void* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{256});
  };
  /// Host to buffer, and back. What was written is seen by operations that are called afterwards.
  std::function<Result<void>(void* to, const void* from, std::size_t bytes)> write =
      [](void* to, const void* from, std::size_t bytes) -> Result<void> {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return {};
  };
  /// Copies from this memory to the host's.
  std::function<Result<void>(void* to, const void* from, std::size_t bytes)> read =
      [](void* to, const void* from, std::size_t bytes) -> Result<void> {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return {};
  };
};

}  // namespace assay::inline v0
