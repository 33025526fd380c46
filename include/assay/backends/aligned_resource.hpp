#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace assay {

/// The host's heap. Models `MemoryResource`; stateless.
struct AlignedResource {
  /// Null if the heap refuses, or if `bytes` exceeds PTRDIFF_MAX, which no object may.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    if (bytes > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
    return ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
  }
  void deallocate(void* pointer, std::size_t, std::size_t alignment) noexcept { ::operator delete(pointer, std::align_val_t{alignment}); }
};

}  // namespace assay
