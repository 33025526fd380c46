#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/memory_resource.hpp"

namespace assay::inline v0 {

/// Holds back what is freed, filled with poison, and looks whether the poison is intact before the memory goes back:
/// writes after a free show, with the allocation that they hit; reads find NaN-like bytes. Memory of the host only.
/// Models `MemoryResource`; thread-safe; copies are handles on the same memory.
template <MemoryResource Upstream = AlignedResource>
class PoisoningResource {
 public:
  static constexpr unsigned char poison = 0xFD;  ///< what freed memory holds

  /// Holds back `capacity` bytes at most; the oldest go first.
  explicit PoisoningResource(std::size_t capacity = std::size_t{64} << 20, Upstream upstream = Upstream())
      : state_(std::make_shared<State>(std::move(upstream), capacity)) {}

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    const std::lock_guard lock(state_->mutex);
    return state_->upstream.allocate(bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    const std::lock_guard lock(state_->mutex);
    std::memset(memory, poison, bytes);
    state_->held.push_back({static_cast<unsigned char*>(memory), bytes, alignment, ++state_->freed});
    state_->held_bytes += bytes;
    while (state_->held_bytes > state_->capacity && !state_->held.empty()) state_->give_back();
  }

  /// Looks at all that is held back, and gives it back.
  void release() const {
    const std::lock_guard lock(state_->mutex);
    while (!state_->held.empty()) state_->give_back();
  }
  /// What was written after a free, as far as it was looked at: when memory goes back. One sentence a block.
  [[nodiscard]] std::vector<std::string> findings() const {
    const std::lock_guard lock(state_->mutex);
    return state_->findings;
  }

 private:
  struct Held {
    unsigned char* memory = nullptr;
    std::size_t bytes = 0, alignment = 0;
    std::uint64_t serial = 0;
  };
  struct State {
    State(Upstream given, std::size_t most) : upstream(std::move(given)), capacity(most) {}
    ~State() {
      while (!held.empty()) give_back();
    }
    void give_back() {
      const Held block = held.front();
      held.pop_front();
      held_bytes -= block.bytes;
      std::size_t altered = 0, first = 0;
      for (std::size_t i = 0; i < block.bytes; ++i)
        if (block.memory[i] != poison && altered++ == 0) first = i;
      if (altered > 0)
        findings.push_back("the block of " + std::to_string(block.bytes) + " bytes that was freed as number " +
                           std::to_string(block.serial) + " was written after that: " + std::to_string(altered) +
                           " bytes, the first at " + std::to_string(first));
      upstream.deallocate(block.memory, block.bytes, block.alignment);
    }

    Upstream upstream;
    std::size_t capacity, held_bytes = 0;
    std::mutex mutex;
    std::deque<Held> held;
    std::vector<std::string> findings;
    std::uint64_t freed = 0;
  };
  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
