#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Pages of the host for tests of memory: touched, so that they are there; locked, so that they stay, where the system
/// allows it; huge where it has them.
class HostMemory {
 public:
  /// `bytes` is rounded up to a page of 4 KiB. Errors: `out_of_memory`, before the system would end processes to find
  /// it: no more is taken than it says is available.
  [[nodiscard]] static Result<HostMemory> take(std::size_t bytes);

  /// Takes the pages over.
  HostMemory(HostMemory&& other) noexcept
      : words_(std::exchange(other.words_, {})), locked_(std::exchange(other.locked_, false)) {}
  /// Exchanges the pages.
  HostMemory& operator=(HostMemory&& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(locked_, other.locked_);
    return *this;
  }
  ~HostMemory();

  /// All of it.
  [[nodiscard]] std::span<std::uint64_t> words() const noexcept { return words_; }
  /// Whether it cannot be swapped out.
  [[nodiscard]] bool locked() const noexcept { return locked_; }

 private:
  explicit HostMemory(std::span<std::uint64_t> words, bool locked) : words_(words), locked_(locked) {}

  std::span<std::uint64_t> words_;
  bool locked_ = false;
};

/// Bytes that can be taken without harm to others, as the system estimates; 0: it does not tell.
[[nodiscard]] std::size_t available_host_memory();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/host_memory.ipp"
#endif
