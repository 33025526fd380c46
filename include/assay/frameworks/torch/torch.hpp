#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class TorchLibrary;
}

/// PyTorch in this process, by the C functions that it keeps from version to version, loaded at run time: no header, no
/// link and no Python. Programs are ONNX models of operators of version 21 and later; each node is computed by
/// operators of PyTorch's own (aten), one after another, as eager programs do. The mode's provider is the device,
/// "cpu".
///
/// The assignment names the operators that each node became ("aten::softmax.int"), on the device that holds their
/// results. Nodes without a mapping are refused by name.
class Torch {
 public:
  /// Errors: `not_found` where the file cannot be loaded; `unsupported` where it is no PyTorch of 2.10 or later.
  [[nodiscard]] static Result<Torch> open(const std::string& path);

  /// The other one is without a library then, and can only be destroyed or assigned to.
  Torch(Torch&&) noexcept;
  Torch& operator=(Torch&&) noexcept;  ///< likewise
  ~Torch();

  /// Its version and devices.
  [[nodiscard]] Result<ExecutorDescription> describe();
  /// Inputs are taken in place. Errors: see `GraphExecutor`.
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  explicit Torch(std::unique_ptr<detail::TorchLibrary> library);

  std::unique_ptr<detail::TorchLibrary> library_;
};

static_assert(GraphExecutor<Torch>);

/// Answers a `DoorWorker` until it hangs up, with the library at `path`; returns an exit code. For a process of its own
/// that does nothing else.
[[nodiscard]] int serve_torch(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/torch/torch.ipp"
#endif
