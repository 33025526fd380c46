#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/flight_exchange.hpp"
#include "assay/collectives/flight/hang_outcome.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// What becomes of a run when a communicator is lost to a hang, a crash or an error.
enum class AfterHang {
  end,   ///< the checks that are left are skipped
  go_on  ///< with a new communicator
};

/// A check of a collective. An error says that the communicator may be of no more use: `timed_out`, `aborted`,
/// `device`; a wrong result is an outcome.
struct GuardedCheck {
  std::string id;                                      ///< of the outcome
  std::function<Result<Outcome>(AnyCollective&)> run;  ///< called by every rank, with its end
};

/// How checks are guarded against hangs.
struct GuardOptions {
  AfterHang after_hang = AfterHang::end;
  /// Makes the communicator anew, on all ranks at the same time; needed for `go_on`. Where it fails, the run ends.
  std::function<Result<AnyCollective>()> renew;
  /// How long the others wait for a rank that does not come to agree after a check.
  std::chrono::milliseconds agreement_deadline{10000};
  RecordedOptions recorded;
};

namespace detail {

[[nodiscard]] Outcome not_run(const std::string& id, std::string why);

}  // namespace detail

/// Runs checks one after another on all ranks, each with a record of its calls. After each check the ranks agree
/// whether the communicator survived it on all of them; if not, the check's outcome is the hang report, the same on all
/// ranks that are left, and the run ends or goes on as `options` ask. A rank that does not come to agree is lost: the
/// run ends. Outcomes stand in the order of the checks; none is missing.
///
/// Called by every rank with the same checks. Misuse: `go_on` without `renew`. Errors: a name that cannot be recorded.
[[nodiscard]] Result<std::vector<Outcome>> run_guarded(AnyCollective collective, Coordinator& coordinator,
                                                       std::span<const GuardedCheck> checks,
                                                       const GuardOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/run_guarded.ipp"
#endif
