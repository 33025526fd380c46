#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "command_line.hpp"

namespace assay_program {

/// Starts this program anew with a variable of the environment ("NAME=value"), unless it is set already: libraries read
/// theirs when they are loaded. Error `unsupported` in a process that is another program's.
[[nodiscard]] assay::Result<void> restart_with(const CommandLine& line, const std::string& environment);

}  // namespace assay_program
