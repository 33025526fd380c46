#pragma once

#include <string>
#include <vector>

#include "dashboard_options.hpp"

namespace assay_program {

/// Writes the page, of what the options and the files name; returns the exit code: 0, or 2 where something cannot be
/// read or written.
[[nodiscard]] int dashboard(const DashboardCommandOptions& options, const std::vector<std::string>& runs,
                            const std::string& page);

}  // namespace assay_program
