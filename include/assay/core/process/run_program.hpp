#pragma once

#include <string>
#include <vector>

#include "assay/core/process/ending.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// How a program ended, and what it printed, to either stream.
struct ProgramRun {
  Ending ending;
  std::string output;  ///< its end, where it is more than 16 MiB

  [[nodiscard]] bool succeeded() const { return ending.kind == Ending::Kind::exit && ending.number == 0; }
};

/// Executes a program, and waits until it has ended; it is killed after `seconds`, with its group. Errors: `io` where
/// it cannot be executed.
[[nodiscard]] Result<ProgramRun> run_program(const std::vector<std::string>& arguments, double seconds);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/run_program.ipp"
#endif
