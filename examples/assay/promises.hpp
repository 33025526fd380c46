#pragma once

#include <vector>

#include "assay/core/result.hpp"
#include "assay/tolerance/unit_promise.hpp"
#include "command_line.hpp"

namespace assay_program {

/// What the units of kernels are known to do: what libraries and plugins declare, but for what --promise keeps, and
/// what --promise says, by name or by a profile that `assay profile --json` wrote.
///
/// Errors: `invalid` for unknown names and promises that contradict each other; those of reading a profile; `invalid`
/// for a profile that shows nothing to promise.
[[nodiscard]] assay::Result<std::vector<assay::UnitPromise>> promises_for(const CommandLine& line);

}  // namespace assay_program
