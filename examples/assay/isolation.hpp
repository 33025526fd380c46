#pragma once

#include <set>
#include <string>

#include "assay/suite/isolation_options.hpp"
#include "command_line.hpp"

namespace assay_program {

/// The plugins, as typed: " --plugin libmine.so".
[[nodiscard]] std::string plugin_options(const CommandLine& line);

/// The options that decide what a case is and how it is judged, as typed: " --tolerance strict". Empty for the
/// defaults.
[[nodiscard]] std::string judging_options(const CommandLine& line);

/// The options of isolation, as typed. Empty where there is none, and none is refused.
[[nodiscard]] std::string isolating_options(const CommandLine& line);

/// The options of the envelope that outcomes are held against, as typed. Empty where there is none.
[[nodiscard]] std::string envelope_options(const CommandLine& line);

/// How `run --isolate` starts its workers: this program again, as `worker`, with the libraries named, the plugins that
/// can be loaded and nothing else; with `environment` ("NAME=value") set where that is not empty. Several workers share
/// the cores: unless OMP_WAIT_POLICY is set, their OpenMP threads do not spin.
[[nodiscard]] assay::IsolationOptions isolation_options(const CommandLine& line, const std::set<std::string>& backends,
                                                        const std::string& environment);

}  // namespace assay_program
