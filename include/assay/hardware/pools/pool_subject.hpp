#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "assay/backends/memory_resource.hpp"

namespace assay::inline v0 {

/// A pool under test, as functions: any `MemoryResource` whose memory the host can read and write.
struct PoolSubject {
  std::string name;                                                         ///< fit for an id
  std::function<void*(std::size_t bytes, std::size_t alignment)> allocate;  ///< null: refused
  std::function<void(void* pointer, std::size_t bytes, std::size_t alignment)> deallocate;
  /// Bytes that the pool holds of the system's memory now, in use or kept; empty: it does not tell, and fragmentation
  /// is not known.
  std::function<std::size_t()> reserved_bytes;
  /// Gives back what is kept; empty: it keeps all until its end.
  std::function<void()> release;
};

/// A resource as a subject; it lives as long as the subject.
template <MemoryResource Resource>
[[nodiscard]] PoolSubject pool_subject(std::string name, std::shared_ptr<Resource> resource) {
  PoolSubject subject;
  subject.name = std::move(name);
  subject.allocate = [resource](std::size_t bytes, std::size_t alignment) {
    return resource->allocate(bytes, alignment);
  };
  subject.deallocate = [resource](void* pointer, std::size_t bytes, std::size_t alignment) {
    resource->deallocate(pointer, bytes, alignment);
  };
  if constexpr (requires { resource->release(); }) subject.release = [resource] { resource->release(); };
  return subject;
}

}  // namespace assay::inline v0
