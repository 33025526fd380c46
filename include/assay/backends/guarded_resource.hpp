#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/byte_work.hpp"
#include "assay/backends/host.hpp"
#include "assay/backends/memory_resource.hpp"

namespace assay::inline v0 {

/// How allocations of a `GuardedResource` are dressed.
struct GuardedResourceOptions {
  std::size_t guard_bytes = 512;  ///< of canaries on either side, at least; rounded up to what the alignment asks for
  unsigned char fresh = 0xFF;     ///< what memory holds when it is given: NaN in floats
  unsigned char canary = 0xC5;    ///< the byte that canaries are made of
  unsigned char freed = 0xFD;     ///< what it holds when it was given back, for who reads it then
};

/// A canary that was altered.
struct GuardFinding {
  std::size_t bytes = 0;     ///< of the allocation
  std::uint64_t serial = 0;  ///< its number, counted from 1
  /// the altered byte that is nearest to it, counted from its start: negative before it, `bytes` and more behind it
  std::ptrdiff_t byte = 0;
  std::size_t altered = 0;  ///< bytes on that side

  /// One sentence for a report.
  [[nodiscard]] std::string text() const {
    const bool before = byte < 0;
    return "allocation " + std::to_string(serial) + " of " + std::to_string(bytes) +
           " bytes: " + std::to_string(altered) + (altered == 1 ? " byte was" : " bytes were") + " written " +
           (before ? "before" : "behind") + " it, the nearest " +
           std::to_string(before ? -byte : byte - static_cast<std::ptrdiff_t>(bytes) + 1) +
           (before ? " before its start" : " past its end");
  }
};

/// Memory that is filled before use, and has canaries around it that are checked when it is freed, or asked for: writes
/// beyond a buffer, and results that depend on what memory held, show. Over any resource, a device's included: fills
/// and checks are work of `B`, whose memory `Upstream` gives, on a stream of their own that is waited for. Models
/// `MemoryResource`; thread-safe. Copies are handles on the same memory. An allocation costs a pass over it, and `B`'s
/// latency a few times.
template <MemoryResource Upstream = AlignedResource, ParallelBackend B = Host>
class GuardedResource {
 public:
  GuardedResource() requires std::is_same_v<B, Host> : GuardedResource(Host(1)) {}
  /// Precondition: `backend` can run work on the memory of `upstream`.
  explicit GuardedResource(B backend, Upstream upstream = Upstream(), const GuardedResourceOptions& options = {})
      : state_(std::make_shared<State>(std::move(backend), std::move(upstream), options)) {}

  /// Null if the upstream refuses, or the work fails.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    State& state = *state_;
    const std::lock_guard lock(state.mutex);
    const std::size_t guard = guard_of(alignment);
    if (!state.stream || bytes > SIZE_MAX - 2 * guard) return nullptr;
    auto* const whole = static_cast<unsigned char*>(state.upstream.allocate(bytes + 2 * guard, alignment));
    if (whole == nullptr) return nullptr;
    unsigned char* const memory = whole + guard;
    if (!state.fill(whole, guard, state.options.canary) || !state.fill(memory, bytes, state.options.fresh) ||
        !state.fill(memory + bytes, guard, state.options.canary) || !state.wait()) {
      state.upstream.deallocate(whole, bytes + 2 * guard, alignment);
      return nullptr;
    }
    state.living[memory] = {bytes, guard, ++state.serial};
    return memory;
  }
  /// What lies under memory that this resource did not give is left alone, and told of by `errors`.
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    State& state = *state_;
    const std::lock_guard lock(state.mutex);
    const auto found = state.living.find(static_cast<unsigned char*>(memory));
    if (found == state.living.end() || found->second.bytes != bytes) {
      state.errors.push_back("memory was given back that is not in use, or with " + std::to_string(bytes) +
                             " bytes though it had others");
      return;
    }
    state.inspect(found->first, found->second);
    const std::size_t guard = found->second.guard;
    static_cast<void>(state.fill(memory, bytes, state.options.freed) && state.wait());
    state.upstream.deallocate(found->first - guard, bytes + 2 * guard, alignment);
    state.living.erase(found);
  }

  /// Checks what is in use, too; no work on it may be running. An altered canary is mended, so that it is told once.
  void check() const {
    const std::lock_guard lock(state_->mutex);
    for (const auto& [memory, region] : state_->living) state_->inspect(memory, region);
  }
  /// What was found so far.
  [[nodiscard]] std::vector<GuardFinding> findings() const {
    const std::lock_guard lock(state_->mutex);
    return state_->findings;
  }
  /// What could not be checked so far, and memory given back wrongly: where there is any, no finding proves nothing.
  [[nodiscard]] std::vector<std::string> errors() const {
    const std::lock_guard lock(state_->mutex);
    return state_->errors;
  }
  /// Allocations that were not freed yet.
  [[nodiscard]] std::size_t living() const {
    const std::lock_guard lock(state_->mutex);
    return state_->living.size();
  }
  /// Drops findings and errors, as before the next subject.
  void forget() const {
    const std::lock_guard lock(state_->mutex);
    state_->findings.clear();
    state_->errors.clear();
  }

 private:
  struct Region {
    std::size_t bytes = 0, guard = 0;
    std::uint64_t serial = 0;
  };
  struct State {
    State(B given, Upstream memory, const GuardedResourceOptions& chosen)
        : backend(std::move(given)), upstream(std::move(memory)), options(chosen) {
      auto made = backend.make_stream();
      if (made)
        stream.emplace(std::move(made).value());
      else
        errors.push_back(made.error().message);
    }

    bool noted(const Result<void>& result) {
      if (!result) errors.push_back(result.error().message);
      return result.has_value();
    }
    bool fill(void* to, std::size_t bytes, unsigned char value) {
      return bytes == 0 || noted(detail::fill_bytes(backend, *stream, to, bytes, value));
    }
    bool wait() { return noted(backend.synchronize(*stream)); }

    void inspect(unsigned char* memory, const Region& region) {
      for (const bool before : {true, false}) {
        unsigned char* const canaries = before ? memory - region.guard : memory + region.bytes;
        auto altered = detail::find_altered_bytes(backend, *stream, canaries, region.guard, options.canary);
        if (!altered) {
          errors.push_back(altered.error().message);
          continue;
        }
        if (altered.value().count == 0) continue;
        std::size_t nearest = altered.value().first;
        if (before) nearest = last_altered(canaries, region.guard).value_or(nearest);
        findings.push_back({region.bytes, region.serial,
                            before ? static_cast<std::ptrdiff_t>(nearest) - static_cast<std::ptrdiff_t>(region.guard)
                                   : static_cast<std::ptrdiff_t>(region.bytes + nearest),
                            altered.value().count});
        static_cast<void>(fill(canaries, region.guard, options.canary) && wait());
      }
    }
    std::optional<std::size_t> last_altered(const unsigned char* canaries, std::size_t bytes) {
      std::vector<unsigned char> on_host(bytes);
      if (!noted(backend.copy_to_host(*stream, on_host.data(), canaries, bytes)) || !wait()) return std::nullopt;
      while (bytes > 0 && on_host[bytes - 1] == options.canary) --bytes;
      return bytes - 1;
    }

    B backend;
    Upstream upstream;
    GuardedResourceOptions options;
    std::mutex mutex;
    std::optional<typename B::Stream> stream;
    std::map<unsigned char*, Region> living;
    std::vector<GuardFinding> findings;
    std::vector<std::string> errors;
    std::uint64_t serial = 0;
  };

  [[nodiscard]] std::size_t guard_of(std::size_t alignment) const {
    return (std::max<std::size_t>(state_->options.guard_bytes, 1) + alignment - 1) / alignment * alignment;
  }

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
