#pragma once

#include <string>
#include <vector>

#include "assay/core/process/child_process.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

struct WorkerCommand;

/// Executes a program. Its standard streams lead to `output`, `inherited` are its descriptors from 3 on, all others
/// are closed there. Errors: `io` with the system's reason.
[[nodiscard]] Result<ChildProcess> spawn_process(const WorkerCommand& command, int output,
                                                 const std::vector<int>& inherited);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/spawn_process.ipp"
#endif
