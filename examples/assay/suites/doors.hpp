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

/// Whether a backend's name is that of a foreign runtime in a mode: "ort.cpu.level99", "xla.no-excess".
[[nodiscard]] bool is_door(std::string_view backend);

/// Makes libraries of the foreign runtimes among these backends: from here on `libraries()` has them. Backends that are
/// there already, such as a module of that name, stay what they are. Errors: `invalid` for modes that are none.
[[nodiscard]] assay::Result<void> load_doors(const std::vector<std::string>& backends);

/// The process in which a foreign runtime is asked, that of the file or what is found. `unsupported`, with what to
/// install, where it is not here.
[[nodiscard]] assay::Result<std::shared_ptr<assay::DoorWorker>> foreign_worker(assay::ForeignRuntime runtime,
                                                                               double seconds,
                                                                               const std::string& library = {});

/// What is known of a foreign runtime before it is loaded.
struct ForeignRuntimeRow {
  assay::ForeignRuntime runtime;
  const char *name, *title;              ///< of backends to begin with; for people
  const char* serving;                   ///< the action of `assay frameworks` that its process performs
  assay::Result<std::string> (*find)();  ///< its library's file
};
[[nodiscard]] const std::vector<ForeignRuntimeRow>& foreign_runtimes();

/// Adds cases of all operations that graphs express, where the backend is a foreign runtime.
void add_door_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

}  // namespace assay_program
