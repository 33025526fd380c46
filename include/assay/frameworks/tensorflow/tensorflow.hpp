#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class TensorFlowLibrary;
}

/// TensorFlow in this process, by the C functions of its eager execution, loaded at run time: no header, no link and no
/// Python. Programs are ONNX models of operators of version 21 and later; each node is computed by operators of
/// TensorFlow's own, one after another. The mode's provider is a type of device, "cpu" or "gpu".
///
/// The assignment names the operators that each node became ("MatMul"), and the device that computed them. What another
/// device computed than was asked for is refused, and so are nodes without a mapping, by name.
class TensorFlow {
 public:
  /// Errors: `not_found` where the file cannot be loaded; `unsupported` where it has not the functions that are called.
  [[nodiscard]] static Result<TensorFlow> open(const std::string& path);

  /// The other one is without a library then, and can only be destroyed or assigned to.
  TensorFlow(TensorFlow&&) noexcept;
  TensorFlow& operator=(TensorFlow&&) noexcept;  ///< likewise
  ~TensorFlow();

  /// Its version and devices.
  [[nodiscard]] Result<ExecutorDescription> describe();
  /// Inputs are taken in place. Errors: see `GraphExecutor`.
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  explicit TensorFlow(std::unique_ptr<detail::TensorFlowLibrary> library);

  std::unique_ptr<detail::TensorFlowLibrary> library_;
};

static_assert(GraphExecutor<TensorFlow>);

/// Answers a `DoorWorker` until it hangs up, with the library at `path`; returns an exit code. For a process of its own
/// that does nothing else.
[[nodiscard]] int serve_tensorflow(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/tensorflow/tensorflow.ipp"
#endif
