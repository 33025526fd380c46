#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace assay_program {

/// How a command ended.
struct StageEnding {
  int exit_code = 0;       ///< of a command that exited
  int signal = 0;          ///< that killed it; 0: it exited
  bool timed_out = false;  ///< it took longer than it may, and was killed
  double seconds = 0;
};

/// Runs a command in a process group of its own, with what it prints in `log`, until it ends or the time is over; then
/// the group is killed. "assay" as the program is this one. It ends with this process. Errors: `io` where it cannot be
/// started.
[[nodiscard]] assay::Result<StageEnding> run_stage_command(const std::vector<std::string>& command,
                                                           const std::filesystem::path& log, double seconds);

}  // namespace assay_program
