#pragma once

#include "assay/suite/detail/perform.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void settle(Outcome& outcome, const Case& entry) {
  if (outcome.id.empty()) outcome.id = entry.id;
  outcome.labels.insert(entry.labels.begin(), entry.labels.end());
  if (outcome.id != entry.id) {
    outcome.verdict = Verdict::error;
    outcome.reason =
        "the case returned the outcome of another, '" + outcome.id + "'; an outcome's id is its case's, or empty";
    outcome.id = entry.id;
  }
  if (outcome.verdict == Verdict::pass || !outcome.reason.empty()) return;
  const bool excuses = outcome.verdict == Verdict::skipped || outcome.verdict == Verdict::unsupported ||
                       outcome.verdict == Verdict::new_baseline;
  if (excuses) {
    outcome.reason =
        "no reason given for '" + std::string(name_of(outcome.verdict)) + "'; a case that is not judged must say why";
    outcome.verdict = Verdict::error;
  } else {
    outcome.reason = "no reason given";
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string changed_environment(const FloatingPointState& state) {
  std::string changes;
  const auto add = [&](bool changed, const char* change) {
    if (changed) changes += (changes.empty() ? "" : ", ") + std::string(change);
  };
  add(state.rounding == RoundingDirection::downward, "it rounds downward");
  add(state.rounding == RoundingDirection::upward, "it rounds upward");
  add(state.rounding == RoundingDirection::toward_zero, "it rounds toward zero");
  add(state.flush_results, "subnormal results become zero");
  add(state.flush_operands, "subnormal operands count as zero");
  add(state.traps, "exceptions raise signals");
  return "the case left its thread's floating-point environment changed (" + changes +
         "); it was restored for the cases that follow";
}

}  // namespace assay::inline v0::detail
