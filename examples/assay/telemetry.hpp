#pragma once

#include "telemetry_options.hpp"

namespace assay_program {

/// Exit codes: of list 0 a sensor told something, of record and show 0 done, of replay 0 all that was judged passed, 1
/// something failed; 2 nothing was told or decided, usage and environment.
[[nodiscard]] int telemetry(const TelemetryOptions& options);

}  // namespace assay_program
