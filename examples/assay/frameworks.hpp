#pragma once

#include "frameworks_options.hpp"

namespace assay_program {

/// Prints to the standard output; returns the program's exit code.
[[nodiscard]] int frameworks(const FrameworksOptions& options);

}  // namespace assay_program
