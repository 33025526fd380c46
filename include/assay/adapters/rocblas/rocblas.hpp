#pragma once

#include <rocblas/rocblas.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "assay/adapters/detail/stream_workspaces.hpp"
#include "assay/backends/hip.hpp"  // before what is for all devices: it brings hipcc's variables of threads

namespace assay::inline v0 {

namespace detail {

/// What a call of rocBLAS gave, with its name and the library's own words. `about`, if any, says of what problem.
[[nodiscard]] inline Result<void> rocblas_result(const std::string& call, rocblas_status status,
                                                 const std::string& about = "") {
  if (status == rocblas_status_success) return {};
  const std::string text = call + ": " + rocblas_status_to_string(status) + (about.empty() ? "" : " (" + about + ")");
  switch (status) {
    case rocblas_status_not_implemented: return failure(ErrorKind::unsupported, text);
    case rocblas_status_memory_error:
      return failure(ErrorKind::out_of_memory, text + "; free memory or use a smaller problem");
    case rocblas_status_invalid_pointer:
    case rocblas_status_invalid_size:
    case rocblas_status_invalid_value: return failure(ErrorKind::invalid, text);
    default: return failure(ErrorKind::device, text);
  }
}

}  // namespace detail

/// rocBLAS on an AMD GPU. Work goes to the stream that is given; nothing waits for it. Copies share one handle, which
/// one thread at a time uses. Compiled against rocBLAS's published interface only: it has never met the library.
class RocBlas : public Hip {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  ///< that rocBLAS may use beside the operands

  /// Errors: those of `Hip::open`, rocBLAS's own.
  [[nodiscard]] static Result<RocBlas> open(int device = 0) {
    auto hip = Hip::open(device);
    if (!hip) return hip.propagate();
    return open(std::move(hip).value());
  }
  /// On a device that is open.
  [[nodiscard]] static Result<RocBlas> open(Hip device) {
    const detail::CurrentDevice<detail::HipRuntime> current(device.device());
    RocBlas rocblas(std::move(device));
    if (auto made = detail::rocblas_result("rocblas_create_handle", rocblas_create_handle(&rocblas.state_->handle));
        !made)
      return made.propagate();
    return rocblas;
  }

  [[nodiscard]] std::string_view name() const noexcept { return "rocblas"; }
  /// The library that runs, not the one compiled against.
  [[nodiscard]] static std::string version() {
    std::size_t length = 0;
    if (rocblas_get_version_string_size(&length) != rocblas_status_success) return "unknown";
    std::string text(length, ' ');
    if (rocblas_get_version_string(text.data(), length) != rocblas_status_success) return "unknown";
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    return text;
  }

  /// Calls `work(handle)`, whose status is rocBLAS's, with the handle set to the stream and a workspace of that stream.
  /// `call` names the function that it calls, `about` the problem.
  template <class Work>
  [[nodiscard]] Result<void> submit(Stream& stream, const std::string& call, const std::string& about,
                                    Work&& work) const {
    auto workspace = state_->workspaces.of(stream, workspace_bytes);
    if (!workspace) return workspace.propagate();
    const detail::CurrentDevice<detail::HipRuntime> current(device());
    const std::lock_guard lock(state_->mutex);
    if (auto set = detail::rocblas_result("rocblas_set_stream", rocblas_set_stream(state_->handle, stream.handle()));
        !set)
      return set;
    if (auto set = detail::rocblas_result("rocblas_set_workspace",
                                          rocblas_set_workspace(state_->handle, workspace.value(), workspace_bytes));
        !set)
      return set;
    return detail::rocblas_result(call, std::forward<Work>(work)(state_->handle), about);
  }

 private:
  struct State {
    explicit State(Hip device) : workspaces(device), device_number(device.device()) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      const detail::CurrentDevice<detail::HipRuntime> current(device_number);
      if (handle != nullptr) static_cast<void>(rocblas_destroy_handle(handle));
    }
    detail::StreamWorkspaces<detail::HipRuntime> workspaces;
    int device_number;
    std::mutex mutex;
    rocblas_handle handle = nullptr;
  };

  explicit RocBlas(Hip device) : Hip(device), state_(std::make_shared<State>(std::move(device))) {}

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
