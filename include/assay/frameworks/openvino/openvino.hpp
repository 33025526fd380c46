#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class OpenVinoLibrary;
}

/// OpenVINO (Intel) in this process, by its C functions, loaded at run time: no header and no link. Programs are ONNX
/// models, read from memory; the mode's provider is the device ("CPU", "GPU", "NPU"), and the provider's options are
/// properties of the compilation, such as EXECUTION_MODE_HINT=ACCURACY.
///
/// The model must be computed by the device that was asked for, which the compiled model tells. Each run is profiled:
/// its assignment names the kernel of every node that was executed, and with it the precision ("brgemm_avx512_bf16").
/// By default OpenVINO computes models in float32 in bfloat16 where the processor has it.
class OpenVino {
 public:
  /// Errors: `not_found` where the file cannot be loaded; `unsupported` where it is no C interface of OpenVINO, or one
  /// that numbers element types as versions before 2025.0 do.
  [[nodiscard]] static Result<OpenVino> open(const std::string& path);

  /// The other one is without a library then, and can only be destroyed or assigned to.
  OpenVino(OpenVino&&) noexcept;
  OpenVino& operator=(OpenVino&&) noexcept;  ///< likewise
  ~OpenVino();

  /// Its version and devices.
  [[nodiscard]] Result<ExecutorDescription> describe();
  /// Inputs are taken in place. Errors: see `GraphExecutor`.
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  explicit OpenVino(std::unique_ptr<detail::OpenVinoLibrary> library);

  std::unique_ptr<detail::OpenVinoLibrary> library_;
};

static_assert(GraphExecutor<OpenVino>);

/// Answers a `DoorWorker` until it hangs up, with the library at `path`; returns an exit code. For a process of its own
/// that does nothing else.
[[nodiscard]] int serve_openvino(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/openvino/openvino.ipp"
#endif
