#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/core/process/executed_worker.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/result.hpp"

namespace assay_program {

/// What is executed where Python is wanted: ASSAY_PYTHON, or python3.
[[nodiscard]] std::string python_interpreter();

/// An interpreter of Python that was executed, with the user's module in it: started when it is needed, and again after
/// it ended. It has this program's standard streams no more, and nothing of its libraries. Calls come one after
/// another.
class PythonProcess {
 public:
  /// `seconds`: how long the module may take to be imported.
  PythonProcess(std::string module, double seconds) : module_(std::move(module)), seconds_(seconds) {}
  PythonProcess(const PythonProcess&) = delete;
  PythonProcess& operator=(const PythonProcess&) = delete;
  ~PythonProcess() { unmap(); }

  /// What the module says of itself: {"name", "version", "kernels"}. Errors: `io` where there is no interpreter,
  /// `invalid` with the module's reason, `timed_out`, `aborted` where it ended the process.
  [[nodiscard]] assay::Result<nlohmann::json> describe();

  /// At least so many bytes that both processes see. Errors: `out_of_memory`, `io`.
  [[nodiscard]] assay::Result<unsigned char*> memory(std::size_t bytes);

  /// The answer to a request, however long it takes. Errors: those of `describe`; `aborted` with how the process ended,
  /// and in which line of which function.
  [[nodiscard]] assay::Result<nlohmann::json> ask(const nlohmann::json& request);

 private:
  [[nodiscard]] assay::Result<void> start();
  [[nodiscard]] assay::Result<nlohmann::json> converse(const nlohmann::json& request, std::int64_t deadline);
  /// Opens what will be the memory that both see.
  [[nodiscard]] assay::Result<void> share();
  void unmap();

  std::string module_;
  double seconds_;
  std::optional<assay::detail::ExecutedWorker> worker_;
  assay::detail::FileDescriptor shared_;
  unsigned char* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace assay_program
