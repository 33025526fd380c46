#pragma once

#include <optional>
#include <string>
#include <utility>

#include "assay/core/outcome.hpp"

namespace assay::inline v0::detail {

/// The attempts at one case: the first and, if that failed or erred, the retries, which measure how often it does.
class Attempts {
 public:
  void add(Outcome outcome, unsigned retries) {
    const bool failed = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
    ++made_;
    failed_ += failed ? 1 : 0;
    if (made_ == 1)
      due_ = failed ? retries : 0;
    else
      --due_;
    if (!first_) first_ = std::move(outcome);
  }

  [[nodiscard]] unsigned made() const noexcept { return made_; }
  [[nodiscard]] bool another() const noexcept { return due_ > 0; }

  /// The outcome of the case, whether or not attempts are still due (after a stop request). Precondition: `made() > 0`.
  [[nodiscard]] Outcome conclude(unsigned retries) {
    Outcome outcome = *std::move(first_);
    first_.reset();
    if (failed_ == 0 || retries == 0) return outcome;
    outcome.measure("attempts", made_);
    outcome.measure("failure_rate", static_cast<double>(failed_) / made_);
    if (made_ == 1) {
      outcome.diagnosis.push_back("it was not tried again: the run was stopped");
    } else if (failed_ == made_) {
      outcome.diagnosis.push_back("failed in all " + std::to_string(made_) + " attempts");
    } else {
      outcome.diagnosis.insert(outcome.diagnosis.begin(),
                               "failed in " + std::to_string(failed_) + " of " + std::to_string(made_) + " attempts: intermittent");
    }
    return outcome;
  }

 private:
  std::optional<Outcome> first_;
  unsigned made_ = 0;
  unsigned failed_ = 0;
  unsigned due_ = 0;
};

}  // namespace assay::inline v0::detail
