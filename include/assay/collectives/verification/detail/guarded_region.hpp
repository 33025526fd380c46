#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/collective_memory.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// Bytes for one buffer of a collective between two guards, in the runtime's memory. What is not accessible to the host is
/// staged there. Movable.
class GuardedRegion {
 public:
  static constexpr std::size_t guard = 256;  ///< bytes at least, on either side
  static constexpr unsigned char guard_byte = 0xC5;

  GuardedRegion() = default;
  GuardedRegion(GuardedRegion&& other) noexcept { *this = std::move(other); }
  GuardedRegion& operator=(GuardedRegion&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(start_, other.start_);
    std::swap(before_, other.before_);
    std::swap(bytes_, other.bytes_);
    std::swap(stage_, other.stage_);
    return *this;
  }
  ~GuardedRegion() {
    if (start_ != nullptr) memory_->deallocate(start_, total());
  }

  /// `shift` bytes move the buffer from where it would be aligned. Errors: those of `memory.allocate`.
  static Result<GuardedRegion> make(std::shared_ptr<const CollectiveMemory> memory, std::size_t bytes, std::size_t shift) {
    GuardedRegion region;
    region.before_ = guard + shift;
    region.bytes_ = bytes;
    auto start = memory->allocate(region.total());
    if (!start) return start.propagate();
    region.start_ = static_cast<unsigned char*>(start.value());
    if (!memory->host_accessible) region.stage_.resize(region.total());
    region.memory_ = std::move(memory);
    std::memset(region.host(), guard_byte, region.before_);
    std::memset(region.host() + region.before_ + bytes, guard_byte, guard);
    return Result<GuardedRegion>(std::move(region));  // spelled out: nvcc would copy
  }

  [[nodiscard]] bool exists() const { return start_ != nullptr; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Where the runtime finds the buffer.
  [[nodiscard]] char* address() const { return reinterpret_cast<char*>(start_ + before_); }
  /// Where the host finds it, between `pull` and `push`.
  [[nodiscard]] char* data() { return reinterpret_cast<char*>(host() + before_); }

  [[nodiscard]] Result<void> push() { return stage_.empty() ? Result<void>() : memory_->write(start_, stage_.data(), total()); }
  [[nodiscard]] Result<void> pull() { return stage_.empty() ? Result<void>() : memory_->read(stage_.data(), start_, total()); }

  /// Bytes between the buffer and the nearest altered byte of its guards, negative before it; 0: intact. Mends them.
  [[nodiscard]] std::ptrdiff_t altered_guard() {
    std::ptrdiff_t altered = 0;
    const auto intact = [](unsigned char byte) { return byte == guard_byte; };
    unsigned char* const behind = host() + before_ + bytes_;
    if (unsigned char* const found = std::find_if_not(behind, behind + guard, intact); found != behind + guard)
      altered = found - behind + 1;
    for (std::size_t distance = before_; altered == 0 && distance > 0; --distance)  // from the far end: guards are intact but for faults
      if (host()[before_ - distance] != guard_byte) altered = -static_cast<std::ptrdiff_t>(distance);
    if (altered != 0) {
      std::memset(host(), guard_byte, before_);
      std::memset(behind, guard_byte, guard);
    }
    return altered;
  }

 private:
  [[nodiscard]] std::size_t total() const { return before_ + bytes_ + guard; }
  [[nodiscard]] unsigned char* host() { return stage_.empty() ? start_ : stage_.data(); }

  std::shared_ptr<const CollectiveMemory> memory_;
  unsigned char* start_ = nullptr;
  std::size_t before_ = 0, bytes_ = 0;
  std::vector<unsigned char> stage_;
};

}  // namespace assay::inline v0::detail
