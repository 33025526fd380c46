#pragma once

#include "command_line.hpp"

namespace assay_program {

/// Each prints to the standard output, faults to the standard error, and returns the program's exit code.
[[nodiscard]] int doctor();
[[nodiscard]] int list(const CommandLine& line);
[[nodiscard]] int run(const CommandLine& line);

}  // namespace assay_program
