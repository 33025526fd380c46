#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define ASSAY_DETAIL_HAS_PROTECTED_MEMORY 1
#else
#define ASSAY_DETAIL_HAS_PROTECTED_MEMORY 0
#endif

namespace assay::inline v0::detail {

/// Memory of an emulated device: pages that nobody may touch but while it is open. Models `MemoryResource`;
/// thread-safe. Every allocation has pages of its own, ends where they end, and is followed by a page that is never
/// open; fresh memory is 0xFF.
class EmulatedMemory {
 public:
  struct Block {
    const EmulatedMemory* owner = nullptr;
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    std::uint64_t serial = 0;  ///< no two allocations have the same one
  };

  EmulatedMemory(int device, std::size_t capacity) : device_(device), capacity_(capacity) {
    const std::lock_guard lock(everywhere().mutex);
    everywhere().memories.push_back(this);
  }
  EmulatedMemory(const EmulatedMemory&) = delete;
  EmulatedMemory& operator=(const EmulatedMemory&) = delete;
  ~EmulatedMemory() {
    const std::lock_guard lock(everywhere().mutex);
    std::erase(everywhere().memories, this);
  }

  [[nodiscard]] static constexpr bool is_supported() { return ASSAY_DETAIL_HAS_PROTECTED_MEMORY != 0; }
  [[nodiscard]] int device() const noexcept { return device_; }

  /// Null if more than the capacity would be in use, or the system refuses.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept;
  void deallocate([[maybe_unused]] void* memory, std::size_t, std::size_t) noexcept;

  [[nodiscard]] std::size_t used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
  }
  [[nodiscard]] bool is_alive(const Block& block) const {
    const std::lock_guard lock(mutex_);
    const auto region = regions_.find(block.begin);
    return region != regions_.end() && region->second.serial == block.serial;
  }

  /// The allocation, of any emulated device, in which `address` lies; without an owner if in none.
  [[nodiscard]] static Block find(std::uintptr_t address);

  /// While one lives, the memory may be touched.
  class Open {
   public:
    explicit Open(EmulatedMemory& memory) : memory_(memory) { memory_.protect(true); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() { memory_.protect(false); }

   private:
    EmulatedMemory& memory_;
  };

 private:
  struct Region {
    std::size_t bytes = 0;
    std::uint64_t serial = 0;
    void* pages = nullptr;
    std::size_t open = 0;   ///< bytes of pages that may be opened
    std::size_t guard = 0;  ///< bytes of pages behind them, which may not
  };
  struct Everywhere {
    std::mutex mutex;
    std::vector<const EmulatedMemory*> memories;
  };
  static Everywhere& everywhere() {
    static Everywhere all;
    return all;
  }
  static std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> serial{0};
    return ++serial;
  }

  void protect(bool open);

  const int device_;
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Region> regions_;
  std::size_t used_ = 0;
  int open_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/backends/detail/emulated_memory.ipp"
#endif
