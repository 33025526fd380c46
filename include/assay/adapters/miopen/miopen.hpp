#pragma once

#include <miopen/miopen.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "assay/backends/hip.hpp"

namespace assay::inline v0 {

namespace detail {

/// What a call of MIOpen gave, with its name and the library's own words. `about`, if any, says of what problem.
[[nodiscard]] inline Result<void> miopen_result(const std::string& call, miopenStatus_t status,
                                                const std::string& about = "") {
  if (status == miopenStatusSuccess) return {};
  const std::string text = call + ": " + miopenGetErrorString(status) + (about.empty() ? "" : " (" + about + ")");
  switch (status) {
    case miopenStatusNotImplemented:
    case miopenStatusUnsupportedOp: return failure(ErrorKind::unsupported, text);
    case miopenStatusBadParm:
    case miopenStatusInvalidValue:
      return failure(ErrorKind::unsupported, text + "; MIOpen takes the problem for invalid");
    case miopenStatusAllocFailed:
      return failure(ErrorKind::out_of_memory, text + "; free memory or use a smaller problem");
    default: return failure(ErrorKind::device, text);
  }
}

}  // namespace detail

/// MIOpen on an AMD GPU. Work goes to the stream that is given; nothing waits for it. Copies share one handle, which
/// one thread at a time uses. Compiled against MIOpen's published interface only: it has never met the library.
class MiOpen : public Hip {
 public:
  /// Errors: those of `Hip::open`, MIOpen's own.
  [[nodiscard]] static Result<MiOpen> open(int device = 0) {
    auto hip = Hip::open(device);
    if (!hip) return hip.propagate();
    return open(std::move(hip).value());
  }
  /// On a device that is open.
  [[nodiscard]] static Result<MiOpen> open(Hip device) {
    const detail::CurrentDevice<detail::HipRuntime> current(device.device());
    MiOpen miopen(std::move(device));
    if (auto made = detail::miopen_result("miopenCreate", miopenCreate(&miopen.state_->handle)); !made)
      return made.propagate();
    return miopen;
  }

  [[nodiscard]] std::string_view name() const noexcept { return "miopen"; }
  /// The library that runs, not the one compiled against.
  [[nodiscard]] static std::string version() {
    std::size_t major = 0, minor = 0, patch = 0;
    if (miopenGetVersion(&major, &minor, &patch) != miopenStatusSuccess) return "unknown";
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }

  /// Calls `work(handle)`, whose status is MIOpen's, with the handle on the stream. `call` names the function that it
  /// calls, `about` the problem.
  template <class Work>
  [[nodiscard]] Result<void> submit(Stream& stream, const std::string& call, const std::string& about,
                                    Work&& work) const {
    const detail::CurrentDevice<detail::HipRuntime> current(device());
    const std::lock_guard lock(state_->mutex);
    if (auto set = detail::miopen_result("miopenSetStream", miopenSetStream(state_->handle, stream.handle())); !set)
      return set;
    return detail::miopen_result(call, std::forward<Work>(work)(state_->handle), about);
  }

 private:
  struct State {
    explicit State(int number) : device_number(number) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      const detail::CurrentDevice<detail::HipRuntime> current(device_number);
      if (handle != nullptr) static_cast<void>(miopenDestroy(handle));
    }
    int device_number;
    std::mutex mutex;
    miopenHandle_t handle = nullptr;
  };

  explicit MiOpen(Hip device) : Hip(device), state_(std::make_shared<State>(device.device())) {}

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
