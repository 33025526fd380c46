#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/release/gate_report.hpp"
#include "assay/release/gate_text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] constexpr Verdict verdict_of(GateState state, bool hard) noexcept {
  switch (state) {
    case GateState::violated: return hard ? Verdict::fail : Verdict::inconclusive;
    case GateState::cannot_tell: return hard ? Verdict::error : Verdict::inconclusive;
    case GateState::waived: return Verdict::skipped;
    case GateState::passed: return Verdict::pass;
  }
  return Verdict::error;
}

}  // namespace detail

/// The report as a run, an outcome a gate ("gate/<name>"), so that every writer of runs takes it. `exit_code()` of that
/// run is 0 exactly if the release is approved.
///
/// A hard gate that is violated is a `fail`, one that cannot tell an `error`; a soft one `inconclusive`, as it decides
/// nothing; one that only a waiver or the quarantine lets through is `skipped`, by somebody's choice. The first
/// outcome, "gate", is the answer itself: `pass`, `fail`, or `error` for cannot tell. O(gates).
[[nodiscard]] Run gate_run(const GateReport& report);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_run.ipp"
#endif
