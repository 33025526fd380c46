#pragma once

#include <string>

#include "gate_options.hpp"

namespace assay_program {

/// Prints the answer and why, and returns it as exit code: 0 approved, 1 blocked, 2 cannot tell. `command` is the
/// command line, for reports.
[[nodiscard]] int gate(const GateOptions& options, const std::string& command);

}  // namespace assay_program
