#pragma once

#include <set>
#include <string>

#include "assay/suite/isolation_options.hpp"
#include "command_line.hpp"

namespace assay_program {

/// The options that decide what a case is and how it is judged, as typed: " --tolerance strict". Empty for the defaults.
[[nodiscard]] std::string judging_options(const CommandLine& line);

/// The options of isolation, as typed. Empty without --isolate.
[[nodiscard]] std::string isolating_options(const CommandLine& line);

/// How `run --isolate` starts its workers: this program again, as `worker`, with the libraries named and nothing else; with `environment`
/// ("NAME=value") set where that is not empty.
[[nodiscard]] assay::IsolationOptions isolation_options(const CommandLine& line, const std::set<std::string>& backends,
                                                        const std::string& environment);

}  // namespace assay_program
