#pragma once

#include "assay/validators/check_steps.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void judge_findings(const std::vector<std::string>& findings, Outcome& outcome) {
  for (const std::string& finding : findings) {
    outcome.diagnosis.insert(outcome.diagnosis.begin(), finding);
    outcome.verdict = Verdict::fail;
    outcome.reason = finding;
  }
}

ASSAY_DETAIL_HEADER_INLINE void judge_repetitions(double kernel_seconds, unsigned differing_runs, unsigned repetitions,
                                                  bool require_determinism, Outcome& outcome) {
  outcome.measure(measurement::kernel_seconds, kernel_seconds, "s");
  if (repetitions <= 1) return;
  outcome.measure("differing_runs", differing_runs, "runs");
  if (differing_runs == 0) return;
  const std::string finding = std::to_string(differing_runs) + " of " + std::to_string(repetitions - 1) +
                              " repeated runs differ from the first in some bit";
  outcome.diagnosis.push_back(finding);
  if (!require_determinism || outcome.verdict == Verdict::fail) return;
  outcome.verdict = Verdict::fail;
  outcome.reason = finding;
}

}  // namespace assay::inline v0::detail
