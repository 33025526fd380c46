#pragma once

#include "assay/backends/detail/emulated_memory.hpp"

#include <cstring>
#include <iterator>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void* EmulatedMemory::allocate(std::size_t bytes, std::size_t alignment) noexcept {
#if ASSAY_DETAIL_HAS_PROTECTED_MEMORY
  const std::lock_guard lock(mutex_);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (alignment > page || bytes == 0 || bytes > capacity_ - used_) return nullptr;
  const std::size_t aligned = (bytes + alignment - 1) / alignment * alignment,
                    open = (aligned + page - 1) / page * page;
  void* const pages = ::mmap(nullptr, open + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (::mprotect(pages, open, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(pages, open + page);
    return nullptr;
  }
  std::memset(pages, 0xFF, open);
  if (open_ == 0) ::mprotect(pages, open, PROT_NONE);
  const auto begin = reinterpret_cast<std::uintptr_t>(pages) + (open - aligned);
  regions_[begin] = {bytes, next_serial(), pages, open, page};
  used_ += bytes;
  return reinterpret_cast<void*>(begin);
#else
  static_cast<void>(bytes);
  static_cast<void>(alignment);
  return nullptr;
#endif
}

ASSAY_DETAIL_HEADER_INLINE void EmulatedMemory::deallocate([[maybe_unused]] void* memory, std::size_t,
                                                           std::size_t) noexcept {
#if ASSAY_DETAIL_HAS_PROTECTED_MEMORY
  const std::lock_guard lock(mutex_);
  const auto region = regions_.find(reinterpret_cast<std::uintptr_t>(memory));
  if (region == regions_.end()) return;
  used_ -= region->second.bytes;
  ::munmap(region->second.pages, region->second.open + region->second.guard);
  regions_.erase(region);
#endif
}

ASSAY_DETAIL_HEADER_INLINE EmulatedMemory::Block EmulatedMemory::find(std::uintptr_t address) {
  const std::lock_guard lock(everywhere().mutex);
  for (const EmulatedMemory* memory : everywhere().memories) {
    const std::lock_guard own(memory->mutex_);
    auto after = memory->regions_.upper_bound(address);
    if (after == memory->regions_.begin()) continue;
    const auto& [begin, region] = *std::prev(after);
    if (address - begin < region.bytes) return {memory, begin, region.bytes, region.serial};
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void EmulatedMemory::protect(bool open) {
  const std::lock_guard lock(mutex_);
  if (open ? open_++ != 0 : --open_ != 0) return;
#if ASSAY_DETAIL_HAS_PROTECTED_MEMORY
  for (const auto& [begin, region] : regions_)
    ::mprotect(region.pages, region.open, open ? PROT_READ | PROT_WRITE : PROT_NONE);
#endif
}

}  // namespace assay::inline v0::detail
