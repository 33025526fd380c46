#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "hardware_options.hpp"

namespace assay_program {

/// Exit codes: 0 right, 1 something is wrong, 2 it could not be done, or nothing was decided. `command`: as it was
/// typed.
[[nodiscard]] int hardware(const HardwareOptions& options, const std::string& command);

/// The same without a word and without reports: what came out. Errors: those of telemetry that was asked for by name.
[[nodiscard]] assay::Result<std::vector<assay::Outcome>> hardware_outcomes(const HardwareOptions& options);

}  // namespace assay_program
