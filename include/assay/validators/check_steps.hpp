#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Seconds since `start`, which then becomes now.
inline double lap(std::chrono::steady_clock::time_point& start) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start).count();
  start = now;
  return seconds;
}

/// The verdict for what the environment refused.
inline Outcome refused(Outcome outcome, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

/// What a kernel did to memory that it should not have done fails its case, whatever the numbers.
void judge_findings(const std::vector<std::string>& findings, Outcome& outcome);

/// What the runs of a case took and how many gave other bits than the first, which fails the case where it is
/// forbidden.
void judge_repetitions(double kernel_seconds, unsigned differing_runs, unsigned repetitions, bool require_determinism,
                       Outcome& outcome);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/validators/check_steps.ipp"
#endif
