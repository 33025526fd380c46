#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "assay/backends/device_runtime.hpp"

namespace assay::inline v0::detail {

/// A device's memory, from a pool of the runtime of its own. Models `MemoryResource`. Waits for a stream of its own
/// only, so that work of others goes on; what is given back must be in use no more. A device that has no pools gives
/// single allocations, whose end waits for all work.
template <class Runtime>
class DeviceResource {
 public:
  /// Errors: those of making a stream and a pool.
  [[nodiscard]] static Result<DeviceResource> make(int device) {
    DeviceResource made;
    made.state_ = std::make_shared<State>();
    made.state_->device = device;
    const CurrentDevice<Runtime> current(device);
    bool pools = false;
    if (auto asked = device_result<Runtime>("asking for pools of memory", device, Runtime::has_pools(&pools, device));
        !asked)
      return asked.propagate();
    if (!pools) return made;
    if (auto stream = device_result<Runtime>("making a stream", device, Runtime::make_stream(&made.state_->stream));
        !stream)
      return stream.propagate();
    if (auto pool = device_result<Runtime>("making a pool of memory", device,
                                           Runtime::make_pool(&made.state_->pool, device, kept_bytes));
        !pool)
      return pool.propagate();
    return made;
  }

  /// Null if the runtime refuses, or gives less than the alignment asked for (256 bytes are usual).
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) const noexcept {
    const CurrentDevice<Runtime> current(state_->device);
    void* memory = nullptr;
    if (refused(state_->has_pool() ? Runtime::allocate_ordered(&memory, bytes, state_->pool, state_->stream)
                                   : Runtime::allocate(&memory, bytes)))
      return nullptr;
    const bool there = !state_->has_pool() || !refused(Runtime::synchronize(state_->stream));
    if (there && reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return memory;
    deallocate(memory, bytes, alignment);
    return nullptr;
  }
  void deallocate(void* memory, std::size_t, std::size_t) const noexcept {
    const CurrentDevice<Runtime> current(state_->device);
    static_cast<void>(refused(state_->has_pool() ? Runtime::deallocate_ordered(memory, state_->stream)
                                                 : Runtime::deallocate(memory)));
  }

  /// Lets kernels of device `peer` use the memory, now and later. Errors: `unsupported` where that device cannot reach
  /// it, `device`.
  [[nodiscard]] Result<void> open_to(int peer) const {
    const int device = state_->device;
    const std::string other = "device " + std::to_string(peer);
    bool reaches = false;
    if (auto asked = device_result<Runtime>("asking whether " + other + " reaches its memory", device,
                                            Runtime::can_reach(&reaches, peer, device));
        !asked)
      return asked;
    if (!reaches)
      return failure(ErrorKind::unsupported,
                     std::string(Runtime::name) + " device " + std::to_string(device) + ": " + other +
                         " cannot reach its memory; take devices that are joined, or copy through the host");
    const CurrentDevice<Runtime> current(state_->has_pool() ? device : peer);
    return device_result<Runtime>(
        "opening its memory to " + other, device,
        state_->has_pool() ? Runtime::open_pool(state_->pool, peer) : Runtime::open_device(device));
  }

 private:
  [[nodiscard]] static bool refused(typename Runtime::Code code) noexcept {
    if (Runtime::ok(code)) return false;
    static_cast<void>(Runtime::last_error());  // else the next launch would be blamed for it
    return true;
  }

  static constexpr std::uint64_t kept_bytes =
      UINT64_MAX;  ///< all, until the resource dies: a limit counts what is in use, too

  struct State {
    int device = 0;
    typename Runtime::Stream stream = nullptr;
    typename Runtime::Pool pool{};
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    [[nodiscard]] bool has_pool() const { return pool != typename Runtime::Pool{}; }
    ~State() {
      if (has_pool()) static_cast<void>(Runtime::destroy_pool(pool));
      if (stream != nullptr) static_cast<void>(Runtime::destroy_stream(stream));
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0::detail
