#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "assay/suite/case.hpp"

namespace assay::inline v0 {

/// How to run a suite.
struct RunOptions {
  std::uint64_t seed = 0;    ///< of the run; every case gets its own, see `case_seed`
  unsigned repetitions = 1;  ///< passed on to the cases; at least 1
  /// How often a case that failed or erred is run again with the same seed, all of these times, to measure how often it
  /// fails. A failure stays a failure: the outcome is that of the first attempt, with the measurements `attempts` and
  /// `failure_rate` and a line of diagnosis. 0: not at all.
  unsigned retries = 0;
  /// How many cases run at the same time, at least 1. Kernels and references use all cores by themselves: more than 1
  /// pays for suites of small cases, and makes every timing of a kernel worthless.
  unsigned jobs = 1;
  std::string title;    ///< of the run, for reports
  std::string command;  ///< the command line that makes this run, for the report
  /// The start of the command that runs one case again; the runner appends the case, the seed and the repetitions
  /// (" --only 'id' --seed 7 --repeat 3"). Empty: outcomes keep what the case wrote.
  std::string reproduce_with;
  /// Is shown what the kernel of each case gave in its first run, before the outcome of the case is known, by cases
  /// whose kernels run on the host; with `jobs` above 1 in several threads at once. May be empty, and must be in
  /// isolated runs.
  std::function<void(const Case&, const ObservedOutput&)> outputs;
  /// Set to true by anybody (a signal handler, too) to let the running cases end and to start no others. May be null.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace assay::inline v0
