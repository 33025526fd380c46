#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/backends/detail/kokkos_compatibility.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// The heap of a Kokkos memory space. Models `MemoryResource`; stateless. Kokkos must be initialized.
template <class MemorySpace>
struct KokkosResource {
  /// Null if Kokkos refuses, if `bytes` is beyond what an object may have, or if its alignment does not suffice.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    constexpr std::size_t header = 4096;  // Kokkos adds its record to what it is asked for, and does not check the sum
    if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - header) return nullptr;
#if defined(__cpp_exceptions)
    try {
      return aligned(Kokkos::kokkos_malloc<MemorySpace>("assay", bytes), alignment);
    } catch (...) {
      return nullptr;
    }
#else
    return aligned(Kokkos::kokkos_malloc<MemorySpace>("assay", bytes), alignment);
#endif
  }
  void deallocate(void* pointer, std::size_t, std::size_t) noexcept {
    Kokkos::kokkos_free<MemorySpace>(pointer);
  }

 private:
  static void* aligned(void* pointer, std::size_t alignment) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0) return pointer;
    Kokkos::kokkos_free<MemorySpace>(pointer);
    return nullptr;
  }
};

}  // namespace assay::inline v0
