#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/memory_resource.hpp"
#include "assay/backends/resource_usage.hpp"

namespace assay::inline v0 {

/// Counts what is taken from a resource, and can refuse what goes beyond a limit: how much memory a kernel takes,
/// whether it gives all of it back, what it does when there is too little. Models `MemoryResource`; thread-safe. Copies
/// are handles on the same count, so keep one when a backend takes the other.
template <MemoryResource Upstream = AlignedResource>
class CountingResource {
 public:
  static constexpr std::size_t unlimited = SIZE_MAX;  ///< the limit that refuses nothing

  /// `limit`: bytes that may be in use at once.
  explicit CountingResource(std::size_t limit = unlimited, Upstream upstream = Upstream())
      : state_(std::make_shared<State>(std::move(upstream), limit)) {}

  /// Null beyond the limit, or if the upstream refuses.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    State& state = *state_;
    {
      const std::lock_guard lock(state.mutex);
      if (bytes > state.limit || state.usage.current_bytes > state.limit - bytes)
        return ++state.usage.refusals, nullptr;
      state.usage.current_bytes += bytes;
    }
    void* const memory = state.upstream.allocate(bytes, alignment);
    const std::lock_guard lock(state.mutex);
    if (memory == nullptr) {
      state.usage.current_bytes -= bytes;
      ++state.usage.refusals;
      return nullptr;
    }
    ++state.usage.allocations;
    state.usage.total_bytes += bytes;
    state.usage.peak_bytes = std::max(state.usage.peak_bytes, state.usage.current_bytes);
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    State& state = *state_;
    state.upstream.deallocate(memory, bytes, alignment);
    const std::lock_guard lock(state.mutex);
    state.usage.current_bytes -= bytes;
    ++state.usage.deallocations;
  }

  /// What was taken so far. O(1).
  [[nodiscard]] ResourceUsage usage() const {
    const std::lock_guard lock(state_->mutex);
    return state_->usage;
  }
  /// The peak becomes what is in use now.
  void forget_peak() const {
    const std::lock_guard lock(state_->mutex);
    state_->usage.peak_bytes = state_->usage.current_bytes;
  }
  /// Refuses from now on what would bring the bytes in use above `bytes`, with `ErrorKind::out_of_memory`.
  void set_limit(std::size_t bytes) const {
    const std::lock_guard lock(state_->mutex);
    state_->limit = bytes;
  }

 private:
  struct State {
    State(Upstream given, std::size_t most) : upstream(std::move(given)), limit(most) {}
    Upstream upstream;
    std::mutex mutex;
    std::size_t limit;
    ResourceUsage usage;
  };
  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
