#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class DoorProcess;
}

/// A foreign runtime in a process of its own, which was executed and not forked: what crashes, hangs or eats memory
/// there is an error with a reason here, and the next run starts another process. The runtime's last words on its
/// standard streams are part of the reason.
///
/// Thread safety: calls are made one after the other. The destructor kills the process.
class DoorWorker {
 public:
  /// The program that calls `serve_onnx_runtime`, with its arguments; a name without '/' is looked for in PATH. Misuse:
  /// none. `seconds` is what one run may take, the start of the process and the compilation of the model included.
  explicit DoorWorker(std::vector<std::string> command, double seconds = 60);
  /// The other one is without a process then, and can only be destroyed or assigned to.
  DoorWorker(DoorWorker&&) noexcept;
  DoorWorker& operator=(DoorWorker&&) noexcept;  ///< likewise; kills the process that this one had
  ~DoorWorker();

  /// Errors: those of `GraphExecutor`, `timed_out` and `device` where the process did not answer.
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  std::unique_ptr<detail::DoorProcess> process_;
};

static_assert(GraphExecutor<DoorWorker>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/door_worker.ipp"
#endif
