#pragma once

#include <string>

#include "notebooks_options.hpp"

namespace assay_program {

/// Prints to the standard output; `command` is the command line, for reports. Returns the program's exit code.
[[nodiscard]] int notebooks(const NotebooksOptions& options, const std::string& command);

}  // namespace assay_program
