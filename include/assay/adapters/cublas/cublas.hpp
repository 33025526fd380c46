#pragma once

#include <cublas_v2.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "assay/adapters/cublas/detail/status.hpp"
#include "assay/adapters/detail/stream_workspaces.hpp"
#include "assay/backends/cuda.hpp"

namespace assay::inline v0 {

/// cuBLAS on an NVIDIA GPU. Work goes to the stream that is given; nothing waits for it. Copies share one handle, which
/// one thread at a time uses.
class Cublas : public Cuda {
 public:
  /// What cuBLAS's documentation asks for on Hopper; its default there.
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  /// Sums of products that are split over k are added in the format that the operation names, not in the output's.
  static constexpr cublasMath_t promised_math =
      static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

  /// Errors: those of `Cuda::open`, cuBLAS's own.
  [[nodiscard]] static Result<Cublas> open(int device = 0) {
    auto cuda = Cuda::open(device);
    if (!cuda) return cuda.propagate();
    return open(std::move(cuda).value());
  }
  /// On a device that is open. `math` is the handle's mode; with another than `promised_math` (such as
  /// CUBLAS_DEFAULT_MATH, as frameworks have it, or CUBLAS_TF32_TENSOR_OP_MATH) products may be less exact than the
  /// operation says, which validation then shows.
  [[nodiscard]] static Result<Cublas> open(Cuda device, cublasMath_t math = promised_math) {
    const detail::CurrentDevice<detail::CudaRuntime> current(device.device());
    Cublas cublas(std::move(device));
    if (auto made = detail::cublas_result("cublasCreate", cublasCreate(&cublas.state_->handle)); !made)
      return made.propagate();
    if (auto set = detail::cublas_result("cublasSetMathMode", cublasSetMathMode(cublas.state_->handle, math)); !set)
      return set.propagate();
    return cublas;
  }

  [[nodiscard]] std::string_view name() const noexcept { return "cublas"; }
  /// The library that runs, not the one compiled against.
  [[nodiscard]] static std::string version() {
    std::string text;
    for (const auto property : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
      int number = 0;
      static_cast<void>(cublasGetProperty(property, &number));
      text += (text.empty() ? "" : ".") + std::to_string(number);
    }
    return text;
  }

  /// Calls `work(handle)`, whose status is cuBLAS's, with the handle set to the stream and a workspace of that stream.
  /// `call` names the function that it calls, `about` the problem.
  template <class Work>
  [[nodiscard]] Result<void> submit(Stream& stream, const std::string& call, const std::string& about,
                                    Work&& work) const {
    auto workspace = state_->workspaces.of(stream, workspace_bytes);
    if (!workspace) return workspace.propagate();
    const detail::CurrentDevice<detail::CudaRuntime> current(device());
    const std::lock_guard lock(state_->mutex);
    if (auto set = detail::cublas_result("cublasSetStream", cublasSetStream(state_->handle, stream.handle())); !set)
      return set;
    // after the stream, which sets the library's own workspace
    if (auto set = detail::cublas_result("cublasSetWorkspace",
                                         cublasSetWorkspace(state_->handle, workspace.value(), workspace_bytes));
        !set)
      return set;
    return detail::cublas_result(call, std::forward<Work>(work)(state_->handle), about);
  }

 private:
  struct State {
    explicit State(Cuda device) : workspaces(device), device_number(device.device()) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      const detail::CurrentDevice<detail::CudaRuntime> current(device_number);
      if (handle != nullptr) static_cast<void>(cublasDestroy(handle));
    }
    detail::StreamWorkspaces<detail::CudaRuntime> workspaces;
    int device_number;
    std::mutex mutex;
    cublasHandle_t handle = nullptr;
  };

  explicit Cublas(Cuda device) : Cuda(device), state_(std::make_shared<State>(std::move(device))) {}

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
