#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/memory_resource.hpp"

namespace assay::inline v0 {

/// Keeps what is freed for the next allocation of about the same size, since the system's zeroing of fresh pages costs
/// as much as a pass over them. Models `MemoryResource`; thread-safe. Blocks below `smallest` pass through; at most
/// `capacity` bytes are kept, the oldest go first. Under AddressSanitizer nothing is kept, so that it sees uses after a
/// free.
template <MemoryResource Upstream = AlignedResource>
class RecyclingResource {
 public:
  static constexpr std::size_t smallest = std::size_t{1} << 17;  ///< heaps map blocks of that and more afresh

  /// Keeps at most `capacity` bytes of what `upstream` gave.
  explicit RecyclingResource(std::size_t capacity = default_capacity, Upstream upstream = Upstream())
      : capacity_(capacity), upstream_(std::move(upstream)) {}
  /// Takes over what is kept.
  RecyclingResource(RecyclingResource&& other) noexcept
      : capacity_(other.capacity_),
        upstream_(std::move(other.upstream_)),
        kept_(other.kept_),
        count_(std::exchange(other.count_, 0)),
        held_(std::exchange(other.held_, 0)) {}
  RecyclingResource& operator=(RecyclingResource&&) = delete;
  ~RecyclingResource() { release(); }

  /// Null if the upstream refuses even after all that is kept was given back to it.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    if (bytes < smallest || capacity_ == 0) return upstream_.allocate(bytes, alignment);
    const std::size_t size = rounded(bytes);
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = count_; i-- > 0;)
        if (kept_[i].bytes == size && kept_[i].alignment == alignment) return take(i).pointer;
    }
    void* pointer = size < bytes ? nullptr : upstream_.allocate(size, alignment);
    if (pointer != nullptr || size < bytes) return pointer;
    release();
    return upstream_.allocate(size, alignment);
  }

  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) noexcept {
    if (bytes < smallest || capacity_ == 0) return upstream_.deallocate(pointer, bytes, alignment);
    const std::size_t size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > capacity_) return upstream_.deallocate(pointer, size, alignment);
    while (held_ + size > capacity_ || count_ == kept_.size()) drop_oldest();
    kept_[count_++] = {pointer, size, alignment};
    held_ += size;
  }

  /// Gives all that is kept back to the upstream.
  void release() noexcept {
    const std::lock_guard lock(mutex_);
    while (count_ > 0) drop_oldest();
  }

  /// Bytes that are kept for later allocations now.
  [[nodiscard]] std::size_t kept_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_;
  }

 private:
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_DETAIL_ADDRESS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ASSAY_DETAIL_ADDRESS_SANITIZER 1
#endif
#if defined(ASSAY_DETAIL_ADDRESS_SANITIZER)
  static constexpr std::size_t default_capacity = 0;
#else
  static constexpr std::size_t default_capacity = std::size_t{256} << 20;
#endif

  struct Block {
    void* pointer = nullptr;
    std::size_t bytes = 0;
    std::size_t alignment = 0;
  };

  /// To an eighth of the next lower power of two, so that sizes that nearly agree share blocks; 0 where that overflows.
  static constexpr std::size_t rounded(std::size_t bytes) noexcept {
    std::size_t step = smallest / 8;
    while (step < bytes / 16) step *= 2;
    return bytes > SIZE_MAX - step ? 0 : (bytes + step - 1) / step * step;
  }

  Block take(std::size_t index) noexcept {
    const Block block = kept_[index];
    for (std::size_t i = index + 1; i < count_; ++i) kept_[i - 1] = kept_[i];
    --count_;
    held_ -= block.bytes;
    return block;
  }
  void drop_oldest() noexcept {
    const Block oldest = take(0);
    upstream_.deallocate(oldest.pointer, oldest.bytes, oldest.alignment);
  }

  std::size_t capacity_;
  Upstream upstream_;
  mutable std::mutex mutex_;
  std::array<Block, 64> kept_{};  ///< oldest first
  std::size_t count_ = 0;
  std::size_t held_ = 0;
};

}  // namespace assay::inline v0
