#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "assay/backends/detail/device_runtime.hpp"

namespace assay::inline v0::detail {

/// A device's memory, from a pool of the runtime of its own. Models `MemoryResource`. Waits for a stream of its own only, so that work of
/// others goes on; what is given back must be in use no more.
template <class Runtime>
class DeviceResource {
 public:
  /// Errors: those of making a stream.
  [[nodiscard]] static Result<DeviceResource> make(int device) {
    DeviceResource made;
    made.state_ = std::make_shared<State>();
    made.state_->device = device;
    const CurrentDevice<Runtime> current(device);
    if (auto stream = device_result<Runtime>("making a stream", device, Runtime::make_stream(&made.state_->stream)); !stream)
      return stream.propagate();
    if (auto pool = device_result<Runtime>("making a pool of memory", device, Runtime::make_pool(&made.state_->pool, device, kept_bytes));
        !pool)
      return pool.propagate();
    return made;
  }

  /// Null if the runtime refuses, or gives less than the alignment asked for (256 bytes are usual).
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) const noexcept {
    const CurrentDevice<Runtime> current(state_->device);
    void* memory = nullptr;
    const auto refused = [](typename Runtime::Code code) {
      if (Runtime::ok(code)) return false;
      static_cast<void>(Runtime::last_error());  // else the next launch would be blamed for it
      return true;
    };
    if (refused(Runtime::allocate_ordered(&memory, bytes, state_->pool, state_->stream))) return nullptr;
    if (!refused(Runtime::synchronize(state_->stream)) && reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return memory;
    deallocate(memory, bytes, alignment);
    return nullptr;
  }
  void deallocate(void* memory, std::size_t, std::size_t) const noexcept {
    const CurrentDevice<Runtime> current(state_->device);
    if (!Runtime::ok(Runtime::deallocate_ordered(memory, state_->stream))) static_cast<void>(Runtime::last_error());
  }

 private:
  static constexpr std::uint64_t kept_bytes = UINT64_MAX;  ///< all, until the resource dies: a limit counts what is in use, too

  struct State {
    int device = 0;
    typename Runtime::Stream stream = nullptr;
    typename Runtime::Pool pool{};
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      if (pool != typename Runtime::Pool{}) static_cast<void>(Runtime::destroy_pool(pool));
      if (stream != nullptr) static_cast<void>(Runtime::destroy_stream(stream));
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0::detail
