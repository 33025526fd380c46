#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "assay/adapters/cublas/detail/cublaslt_plan.hpp"
#include "assay/adapters/detail/stream_workspaces.hpp"
#include "assay/backends/cuda.hpp"

namespace assay::inline v0 {

/// cuBLASLt on an NVIDIA GPU: products with scales and epilogues. Work goes to the stream that is given; nothing waits
/// for it. Copies share one handle.
class CublasLt : public Cuda {
 public:
  /// What an algorithm may ask for: 32 MiB, as NVIDIA recommends for Hopper.
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  /// Errors: those of `Cuda::open`, cuBLASLt's own.
  [[nodiscard]] static Result<CublasLt> open(int device = 0) {
    auto cuda = Cuda::open(device);
    if (!cuda) return cuda.propagate();
    return open(std::move(cuda).value());
  }
  /// On a device that is open.
  [[nodiscard]] static Result<CublasLt> open(Cuda device) {
    const detail::CurrentDevice<detail::CudaRuntime> current(device.device());
    CublasLt library(std::move(device));
    if (auto made = detail::cublas_result("cublasLtCreate", cublasLtCreate(&library.state_->handle)); !made)
      return made.propagate();
    return library;
  }

  [[nodiscard]] std::string_view name() const noexcept { return "cublaslt"; }
  /// The library that runs, not the one compiled against.
  [[nodiscard]] static std::string version() {
    const std::size_t number = cublasLtGetVersion();
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  }

  /// Refuses, plans and launches a product; `about` says of what problem. Errors: `unsupported` with the reason, ours
  /// or the library's.
  [[nodiscard]] Result<void> multiply(Stream& stream, const detail::CublasLtProduct& product,
                                      const std::string& about) const {
    if (const std::string refusal = detail::cublaslt_refusal(product, architecture()); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal + " (" + about + ")");
    const detail::CurrentDevice<detail::CudaRuntime> current(device());
    const auto plan = detail::CublasLtPlan::make(product);
    if (!plan) return plan.propagate();
    auto chosen = plan.value().algorithm(state_->handle, workspace_bytes, about);
    if (!chosen) return chosen.propagate();
    auto workspace = state_->workspaces.of(stream, chosen.value().workspaceSize);
    if (!workspace) return workspace.propagate();
    return detail::cublas_result(
        "cublasLtMatmul",
        cublasLtMatmul(state_->handle, plan.value().operation(), product.alpha.bytes, product.gemm.a, plan.value().a(),
                       product.gemm.b, plan.value().b(), product.beta.bytes, plan.value().added(), plan.value().c(),
                       product.gemm.c, plan.value().d(), &chosen.value().algo, workspace.value(),
                       chosen.value().workspaceSize, stream.handle()),
        about);
  }

 private:
  struct State {
    explicit State(Cuda device) : workspaces(device), device_number(device.device()) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      const detail::CurrentDevice<detail::CudaRuntime> current(device_number);
      if (handle != nullptr) static_cast<void>(cublasLtDestroy(handle));
    }
    detail::StreamWorkspaces<detail::CudaRuntime> workspaces;
    int device_number;
    cublasLtHandle_t handle = nullptr;
  };

  explicit CublasLt(Cuda device) : Cuda(device), state_(std::make_shared<State>(std::move(device))) {}

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
