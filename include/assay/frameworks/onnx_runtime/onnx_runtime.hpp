#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class OnnxRuntimeLibrary;
}

/// ONNX Runtime (Microsoft) in this process, by its table of C functions, loaded at run time: no header and no link.
/// The library may crash, abort or hang, so `serve_onnx_runtime` has it in a process of its own, and `DoorWorker` is
/// what others use.
///
/// Of other providers than "cpu" every node must be computed by the provider: fallback to the CPU is disabled, and the
/// profile of each run is read, which names the provider of each node; a run of which another provider computed a node
/// is `unsupported`.
class OnnxRuntime {
 public:
  /// Errors: `not_found` where the file cannot be loaded; `unsupported` where it is no ONNX Runtime, or one that offers
  /// none of the API's versions 11 to 23 (1.10 and newer do).
  [[nodiscard]] static Result<OnnxRuntime> open(const std::string& path);

  /// The other one is without a library then, and can only be destroyed or assigned to.
  OnnxRuntime(OnnxRuntime&&) noexcept;
  OnnxRuntime& operator=(OnnxRuntime&&) noexcept;  ///< likewise
  ~OnnxRuntime();

  /// Its version and providers.
  [[nodiscard]] Result<ExecutorDescription> describe();
  /// Inputs are taken in place. Errors: see `GraphExecutor`.
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  explicit OnnxRuntime(std::unique_ptr<detail::OnnxRuntimeLibrary> library);

  std::unique_ptr<detail::OnnxRuntimeLibrary> library_;
};

static_assert(GraphExecutor<OnnxRuntime>);

/// Answers a `DoorWorker` until it hangs up, with the library at `path`; returns an exit code. For a process of its own
/// that does nothing else.
[[nodiscard]] int serve_onnx_runtime(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/onnx_runtime/onnx_runtime.ipp"
#endif
