#pragma once

#include "assay/core/result.hpp"
#include "command_line.hpp"

namespace assay_program {

/// Makes libraries of the modules of --python: from here on `libraries()` has them. Each is imported once, by an
/// interpreter that is executed, to tell which kernels it has. Errors, with what to do: no interpreter, a module that
/// cannot be imported or names no kernels.
[[nodiscard]] assay::Result<void> load_python(const CommandLine& line);

}  // namespace assay_program
