#pragma once

#include <cudnn_graph.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "assay/adapters/cudnn/detail/plan.hpp"
#include "assay/adapters/detail/stream_workspaces.hpp"
#include "assay/backends/cuda.hpp"

namespace assay::inline v0 {

/// cuDNN 9 on an NVIDIA GPU. Work goes to the stream that is given; nothing waits for it. Copies share one handle,
/// which one thread at a time uses, and the plans that were made: each problem is planned once, which may compile and
/// load kernels, so that a launch that is to be captured into a graph should have been made before.
class Cudnn : public Cuda {
 public:
  /// Errors: those of `Cuda::open`, cuDNN's own.
  [[nodiscard]] static Result<Cudnn> open(int device = 0) {
    auto cuda = Cuda::open(device);
    if (!cuda) return cuda.propagate();
    return open(std::move(cuda).value());
  }
  /// On a device that is open.
  [[nodiscard]] static Result<Cudnn> open(Cuda device) {
    const detail::CurrentDevice<detail::CudaRuntime> current(device.device());
    Cudnn cudnn(std::move(device));
    if (auto made = detail::cudnn_result("cudnnCreate", cudnnCreate(&cudnn.state_->handle)); !made)
      return made.propagate();
    return cudnn;
  }

  [[nodiscard]] std::string_view name() const noexcept { return "cudnn"; }
  /// The library that runs, not the one compiled against.
  [[nodiscard]] static std::string version() {
    const std::size_t number = cudnnGetVersion();
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  }

  /// Calls `work(handle)`, whose status is cuDNN's, with the handle on the stream. `call` names the function that it
  /// calls, `about` the problem.
  template <class Work>
  [[nodiscard]] Result<void> submit(Stream& stream, const std::string& call, const std::string& about,
                                    Work&& work) const {
    const detail::CurrentDevice<detail::CudaRuntime> current(device());
    const std::lock_guard lock(state_->mutex);
    if (auto set = detail::cudnn_result("cudnnSetStream", cudnnSetStream(state_->handle, stream.handle())); !set)
      return set;
    return detail::cudnn_result(call, std::forward<Work>(work)(state_->handle), about);
  }

  /// Plans a graph, unless one like it was planned before, and launches it. `unsupported` with cuDNN's reason where no
  /// engine takes it.
  [[nodiscard]] Result<void> submit(Stream& stream, const detail::CudnnGraph& graph,
                                    const detail::CudnnEngineRules& rules, const std::string& about) const {
    if (!graph.status()) return graph.status();
    const detail::CurrentDevice<detail::CudaRuntime> current(device());
    const std::lock_guard lock(state_->mutex);
    if (auto set = detail::cudnn_result("cudnnSetStream", cudnnSetStream(state_->handle, stream.handle())); !set)
      return set;
    std::string key = graph.signature();
    for (const auto* notes : {&rules.without, &rules.with}) {
      for (const auto note : *notes) key += std::to_string(static_cast<int>(note)) + ",";
      key += "|";
    }
    auto known = state_->plans.find(key);
    if (known == state_->plans.end()) {
      auto made = detail::CudnnPlan::make(graph, {.handle = state_->handle}, rules, about);
      if (!made) return made.propagate();
      known = state_->plans.emplace(std::move(key), std::move(made).value()).first;
    }
    auto workspace = state_->workspaces.of(stream, known->second.workspace_bytes());
    if (!workspace) return workspace.propagate();
    return known->second.run(state_->handle, graph, workspace.value(), about);
  }

 private:
  struct State {
    explicit State(Cuda device) : workspaces(device), device_number(device.device()) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      const detail::CurrentDevice<detail::CudaRuntime> current(device_number);
      plans.clear();
      if (handle != nullptr) static_cast<void>(cudnnDestroy(handle));
    }
    detail::StreamWorkspaces<detail::CudaRuntime> workspaces;
    int device_number;
    std::mutex mutex;
    std::map<std::string, detail::CudnnPlan> plans;
    cudnnHandle_t handle = nullptr;
  };

  explicit Cudnn(Cuda device) : Cuda(device), state_(std::make_shared<State>(std::move(device))) {}

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
