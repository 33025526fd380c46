#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "frameworks_options.hpp"

namespace assay_program {

/// Patterns that compilers fuse, against the same graphs node by node. Returns the program's exit code.
[[nodiscard]] int check_fusions(const FrameworksOptions& options, const assay::ExecutionMode& mode,
                                assay::DoorWorker& worker);
/// Cases of ONNX in older versions of the operators. Likewise.
[[nodiscard]] int check_opsets(const FrameworksOptions& options, const assay::ExecutionMode& mode,
                               assay::DoorWorker& worker);
/// Ranges of a quantized model against what was recorded of it. Likewise.
[[nodiscard]] int check_calibrations(const FrameworksOptions& options);

/// Operators of PyTorch, by examples/python in an interpreter that is executed. Likewise.
[[nodiscard]] int check_torch(const FrameworksOptions& options);

/// Prints what does not pass and the counts, and writes the report where one is asked for. Returns the program's exit
/// code.
[[nodiscard]] int tell_framework_outcomes(const FrameworksOptions& options, std::vector<assay::Outcome> outcomes,
                                          const std::string& title, double seconds);

/// Writes outcomes as `assay run` does.
[[nodiscard]] assay::Result<void> write_framework_report(const std::string& path, std::vector<assay::Outcome> outcomes,
                                                         const std::string& title, const std::string& action,
                                                         double seconds);

}  // namespace assay_program
