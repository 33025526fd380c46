#pragma once

#include <string>

#include "assay/core/outcome.hpp"
#include "assay/core/run.hpp"

namespace assay::inline v0 {

/// What wants to know how a run goes: consoles, logs, dashboards.
///
/// Semantics:
/// - `started(run)` comes first, once: title, seed, environment and `planned_cases` are set, `outcomes` is empty.
/// - `case_started(id)` and `case_finished(outcome)` come once for every case that runs, from whichever thread runs it;
///   cases interleave if several run at the same time.
/// - `finished(run)` comes last, once, with the outcomes in the order of the suite.
/// - Thread safety: the runner serializes all calls. What is passed is alive during the call only.
/// - An exception out of an observer ends the run: running cases end, the rest do not start, the runner rethrows it.
template <class O>
concept RunObserver = requires(O& observer, const Run& run, const std::string& id, const Outcome& outcome) {
  observer.started(run);
  observer.case_started(id);
  observer.case_finished(outcome);
  observer.finished(run);
};

/// Looks away.
struct NullObserver {
  void started(const Run&) {}
  void case_started(const std::string&) {}
  void case_finished(const Outcome&) {}
  void finished(const Run&) {}
};

}  // namespace assay::inline v0
