#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/environment.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/run.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/case_ledger.hpp"
#include "assay/suite/isolation_options.hpp"
#include "assay/suite/run_observer.hpp"
#include "assay/suite/run_options.hpp"
#include "assay/suite/runner.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include "assay/suite/detail/isolated_run.hpp"
#endif

namespace assay::inline v0 {

/// Whether this platform can isolate cases in processes. Where not, `run_isolated` gives every case the verdict
/// `error`.
#if defined(__unix__) || defined(__APPLE__)
inline constexpr bool isolation_supported = true;
#else
inline constexpr bool isolation_supported = false;
#endif

/// Runs cases as `run_suite` does, but in other processes: a case that crashes, aborts, hangs, exits, exhausts the
/// memory or damages its process costs itself and no other. Selection, seeds, outcomes and their order are those of
/// `run_suite`.
///
/// - `RunOptions::jobs` workers live as long as they can and perform one case after another; only one that has died is
///   replaced. That costs some microseconds a case.
/// - A case that ended its worker gets the verdict `error`: nothing was computed that could be refuted, so it is no
///   `fail`. Its reason tells the cause, its label "ended" names it ("signal 11", "exit 0", "timeout", "memory", or
///   "channel" for one that closed or overwrote the descriptor over which outcomes come), as do the measurements
///   "signal" and "exit_code"; the diagnosis tells the last line of its output, and the table "last output" the last of
///   it.
/// - What other cases print is dropped.
/// - Retries may run in another worker than the attempt before. A crash is a failed attempt.
/// - If three workers in a row end before they begin a case, no more are started; the cases that nobody can run are
///   errors with that reason. A worker that dies between two cases is told of in the diagnosis of the case that was to
///   come next.
/// - After a stop request running cases end (within their time limit), the rest do not start. Workers do not hear the
///   terminal's interrupt. An exception out of the observer kills the workers and is passed on.
/// - If this process dies, so do the workers (on other systems than Linux: after the case that they are at).
///
/// Calls everything from the calling thread; nothing else of the program may wait for children of any process (SIGCHLD
/// must not be ignored). See `IsolationOptions::command` for programs that use threads or devices.
///
/// Misuse: as for `run_suite`; a negative limit of time, or one that is not a number; an environment without a command;
/// an observer of outputs, which are in other processes.
template <RunObserver Observer>
[[nodiscard]] Run run_isolated(const Suite& suite, const std::vector<std::size_t>& chosen, const RunOptions& options,
                               const IsolationOptions& isolation, Environment environment, Observer& observer) {
  detail::check_run(suite, chosen, options);
  expect(isolation.timeout_seconds >= 0 && isolation.start_seconds >= 0,
         [] { return "a limit of time of IsolationOptions is negative or not a number; 0 is for ever"; });
  expect(isolation.environment.empty() || !isolation.command.empty(), [] {
    return "IsolationOptions::environment is set without a command, and forked workers have this process's; set the "
           "command, too";
  });
  expect(!options.outputs, [] {
    return "RunOptions::outputs is set for an isolated run, whose outputs are in other processes; run without "
           "isolation";
  });
  const auto begin = std::chrono::steady_clock::now();
  Run run = detail::begun_run(options, std::move(environment), chosen.size());
  observer.started(std::as_const(run));

  std::vector<std::size_t> order = chosen;
  std::sort(order.begin(), order.end());
  detail::CaseLedger ledger(suite, order, options,
                            {[&](const std::string& id) { observer.case_started(id); },
                             [&](const Outcome& outcome) { observer.case_finished(outcome); }});
#if defined(__unix__) || defined(__APPLE__)
  detail::IsolatedRun(suite, ledger, options, isolation).run();
#else
  for (std::size_t turn = 0; turn < ledger.size(); ++turn) {
    ledger.begin(turn);
    static_cast<void>(ledger.enter(
        turn, detail::error_outcome("cases can be isolated on POSIX systems only; run without isolation"), 0, false));
  }
#endif
  detail::enter_outcomes(run, ledger.take_outcomes(), suite, order);
  run.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  observer.finished(std::as_const(run));
  return run;
}

}  // namespace assay::inline v0
