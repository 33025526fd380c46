#pragma once

#include <bit>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "assay/backends/device_backend.hpp"

namespace assay::inline v0::detail {

/// Scratch memory for a library's kernels, from the backend, one piece for each stream: work on a stream runs in order
/// and may share it, work on two may not. Nothing waits: what became too small is kept while the library's handle
/// lives, since kernels may still use it. Pieces of captured streams belong to their graphs, which may run at any time,
/// so each is given once. Neither a stream nor the last copy of the library must be destroyed before its work is done.
/// Thread-safe.
template <class Runtime>
class StreamWorkspaces {
 public:
  using Device = DeviceBackend<Runtime>;

  explicit StreamWorkspaces(Device device) : device_(std::move(device)) {}

  /// At least `bytes` for work that is submitted to `stream`; null for 0. Errors: `out_of_memory`, those of the device.
  [[nodiscard]] Result<void*> of(const typename Device::Stream& stream, std::size_t bytes) {
    if (bytes == 0) return static_cast<void*>(nullptr);
    bool capturing = false;
    {
      const CurrentDevice<Runtime> current(device_.device());
      if (auto asked = device_result<Runtime>("asking for a stream's capture", device_.device(),
                                              Runtime::is_capturing(stream.handle(), &capturing));
          !asked)
        return asked.propagate();
    }
    const std::lock_guard lock(mutex_);
    Buffer*& held = held_[stream.handle()];
    if (!capturing && held != nullptr && held->size() >= bytes) return static_cast<void*>(held->data());
    auto buffer = device_.template allocate<std::byte>(capturing ? bytes : std::bit_ceil(bytes));
    if (!buffer) return buffer.propagate();
    all_.push_back(std::make_unique<Buffer>(std::move(buffer).value()));
    if (!capturing) held = all_.back().get();
    return static_cast<void*>(all_.back()->data());
  }

 private:
  using Buffer = typename Device::template Buffer<std::byte>;

  Device device_;
  std::mutex mutex_;
  std::map<typename Runtime::Stream, Buffer*> held_;
  std::vector<std::unique_ptr<Buffer>> all_;
};

}  // namespace assay::inline v0::detail
