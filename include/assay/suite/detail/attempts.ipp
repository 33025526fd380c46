#pragma once

#include "assay/suite/detail/attempts.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void Attempts::add(Outcome outcome, unsigned retries) {
  const bool failed = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
  ++made_;
  failed_ += failed ? 1 : 0;
  undecided_ += failed || outcome.verdict == Verdict::pass ? 0 : 1;
  if (made_ == 1)
    due_ = failed ? retries : 0;
  else
    --due_;
  if (!first_) first_ = std::move(outcome);
}

ASSAY_DETAIL_HEADER_INLINE Outcome Attempts::conclude(unsigned retries) {
  Outcome outcome = *std::move(first_);
  first_.reset();
  if (failed_ == 0 || retries == 0) return outcome;
  const unsigned decided = made_ - undecided_;
  outcome.measure("attempts", decided);
  outcome.measure("failure_rate", static_cast<double>(failed_) / decided);
  if (made_ == 1) {
    outcome.diagnosis.push_back("it was not tried again: the run was stopped");
  } else if (failed_ == decided) {
    outcome.diagnosis.push_back("failed in all " + std::to_string(decided) + " attempts" +
                                (undecided_ > 0 ? " that decided" : ""));
  } else {
    outcome.diagnosis.insert(outcome.diagnosis.begin(), "failed in " + std::to_string(failed_) + " of " +
                                                            std::to_string(decided) + " attempts: intermittent");
  }
  if (undecided_ > 0)
    outcome.diagnosis.push_back("further attempts that decided nothing: " + std::to_string(undecided_));
  return outcome;
}

}  // namespace assay::inline v0::detail
