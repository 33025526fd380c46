#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::inline v0 {

/// How cases are kept apart from the program that runs them; see `run_isolated`. How many workers there are at a time
/// says `RunOptions::jobs`.
struct IsolationOptions {
  /// How long one attempt at a case may take, in seconds of wall-clock time, before its worker is killed. 0: for ever.
  double timeout_seconds = 0;
  /// The resident memory at which a worker is killed, in bytes: the whole process with its program and libraries, not
  /// its own children. Looked at every ten milliseconds. 0: no limit. Needs /proc.
  std::size_t memory_bytes = 0;
  /// The program that serves the cases, and its arguments; it calls `serve_cases` on a suite with the same ids. A name
  /// without '/' is looked for in PATH; "/proc/self/exe" is the running program.
  ///
  /// Empty: workers are forked from this process. They then hold this very suite, and share what fork() shares: open
  /// files, and no threads. So this is for programs that have used neither threads (OpenMP and BLAS libraries keep
  /// theirs) nor devices before the run; any other one names a command.
  std::vector<std::string> command;
  /// Variables of the environment that `command` has instead of this process's or beside them, "NAME=value". None
  /// without a command.
  std::vector<std::string> environment;
  /// After how many attempts a worker is replaced, for suites whose cases leak. 0: never.
  std::size_t recycle_after = 0;
  /// How long a worker may take until it is ready for its first case, in seconds. 0: for ever.
  double start_seconds = 60;
  /// How many of the last bytes that a case wrote to its standard output and error are told if it ends its worker.
  std::size_t output_tail_bytes = 4096;
};

}  // namespace assay::inline v0
