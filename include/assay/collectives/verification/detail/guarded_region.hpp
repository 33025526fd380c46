#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/collective_memory.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// Bytes for one buffer of a collective between two guards, in the runtime's memory. What is not accessible to the host
/// is staged there. Movable.
class GuardedRegion {
 public:
  static constexpr std::size_t guard = 256;  ///< bytes at least, on either side
  static constexpr unsigned char guard_byte = 0xC5;

  GuardedRegion() = default;
  GuardedRegion(GuardedRegion&& other) noexcept { *this = std::move(other); }
  GuardedRegion& operator=(GuardedRegion&& other) noexcept;
  ~GuardedRegion() {
    if (start_ != nullptr) memory_->deallocate(start_, total());
  }

  /// `shift` bytes move the buffer from where it would be aligned. Errors: those of `memory.allocate`.
  static Result<GuardedRegion> make(std::shared_ptr<const CollectiveMemory> memory, std::size_t bytes,
                                    std::size_t shift);

  [[nodiscard]] bool exists() const { return start_ != nullptr; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Where the runtime finds the buffer.
  [[nodiscard]] char* address() const { return reinterpret_cast<char*>(start_ + before_); }
  /// Where the host finds it, between `pull` and `push`.
  [[nodiscard]] char* data() { return reinterpret_cast<char*>(host() + before_); }

  [[nodiscard]] Result<void> push() {
    return stage_.empty() ? Result<void>() : memory_->write(start_, stage_.data(), total());
  }
  [[nodiscard]] Result<void> pull() {
    return stage_.empty() ? Result<void>() : memory_->read(stage_.data(), start_, total());
  }

  /// Bytes between the buffer and the nearest altered byte of its guards, negative before it; 0: intact. Mends them.
  [[nodiscard]] std::ptrdiff_t altered_guard();

 private:
  [[nodiscard]] std::size_t total() const { return before_ + bytes_ + guard; }
  [[nodiscard]] unsigned char* host() { return stage_.empty() ? start_ : stage_.data(); }

  std::shared_ptr<const CollectiveMemory> memory_;
  unsigned char* start_ = nullptr;
  std::size_t before_ = 0, bytes_ = 0;
  std::vector<unsigned char> stage_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/guarded_region.ipp"
#endif
