#pragma once

#include <string>

#include "hardware_options.hpp"

namespace assay_program {

/// Exit codes: 0 right, 1 something is wrong, 2 it could not be done, or nothing was decided. `command`: as it was
/// typed.
[[nodiscard]] int hardware(const HardwareOptions& options, const std::string& command);

}  // namespace assay_program
