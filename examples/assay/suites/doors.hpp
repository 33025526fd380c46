#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"
#include "assay/validators/operation_suite.hpp"

namespace assay {
inline namespace v0 {
class DoorWorker;
}
}  // namespace assay

namespace assay_program {

/// Whether a backend's name is that of a foreign runtime in a mode: "ort.cpu.level99".
[[nodiscard]] bool is_door(std::string_view backend);

/// Makes libraries of the foreign runtimes among these backends: from here on `libraries()` has them. Errors: `invalid`
/// for modes that are none.
[[nodiscard]] assay::Result<void> load_doors(const std::vector<std::string>& backends);

/// The process in which ONNX Runtime is asked, that of the file or what is found. `unsupported`, with what to install,
/// where it is not here.
[[nodiscard]] assay::Result<std::shared_ptr<assay::DoorWorker>> onnx_runtime_worker(double seconds,
                                                                                    const std::string& library = {});

/// Adds cases of all operations that graphs express, where the backend is a foreign runtime.
void add_door_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

}  // namespace assay_program
