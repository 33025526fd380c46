#pragma once

#include <string>

#include "assay/release/calendar_date.hpp"
#include "assay/release/gate_policy.hpp"
#include "gate_options.hpp"

namespace assay_program {

/// Prints the answer and why, and returns it as exit code: 0 approved, 1 blocked, 2 cannot tell. `command` is the
/// command line, for reports.
[[nodiscard]] int gate(const GateOptions& options, const std::string& command);

/// The same by a policy that was read elsewhere, on a day.
[[nodiscard]] int judge_by(const assay::GatePolicy& policy, const GateOptions& options,
                           const assay::CalendarDate& today, const std::string& command);

}  // namespace assay_program
