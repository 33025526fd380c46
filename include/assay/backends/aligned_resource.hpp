#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace assay::inline v0 {

/// The host's heap. Models `MemoryResource`; stateless. Large allocations ask for huge pages where the system has them:
/// the first touch of a matrix otherwise costs as much as a pass over it.
struct AlignedResource {
  static constexpr std::size_t huge_page =
      std::size_t{2} << 20;  ///< bytes of a huge page; allocations of that and more are aligned to it

  /// Null if the heap refuses, or if `bytes` exceeds PTRDIFF_MAX, which no object may.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    if (bytes > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
    void* pointer = ::operator new (bytes, std::align_val_t{placed(bytes, alignment)}, std::nothrow);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (pointer != nullptr && bytes >= 2 * huge_page)
      ::madvise(pointer, bytes & ~(huge_page - 1), MADV_HUGEPAGE);  // a wish: refusal costs nothing
#endif
    return pointer;
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) noexcept {
    ::operator delete (pointer, std::align_val_t{placed(bytes, alignment)});
  }

 private:
  static constexpr std::size_t placed(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes >= 2 * huge_page && alignment < huge_page ? huge_page : alignment;
  }
};

}  // namespace assay::inline v0
