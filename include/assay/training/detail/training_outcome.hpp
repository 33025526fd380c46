#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/training/audit_training.hpp"
#include "assay/training/training_subject.hpp"

namespace assay::inline v0::detail {

/// An outcome that nothing is known of as yet: training/<check>/<subject>/<type>/<sharding>/ranks-n.
[[nodiscard]] Outcome training_outcome(const std::string& check, const TrainingSubject& subject,
                                       const TrainingOptions& options);

[[nodiscard]] inline Outcome failed_training(Outcome outcome, const std::string& who, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
  outcome.reason = "training by " + who + " failed: " + error.message;
  return outcome;
}

/// Measurements, derivation and diagnosis of an audit; the verdict is the caller's.
void add_audit(Outcome& outcome, const TrainingAudit& audit);

[[nodiscard]] inline Series loss_series(std::string title, const std::vector<double>& losses, Index first_step = 1) {
  Series series{std::move(title), "step", "nats a token", {}};
  for (std::size_t i = 0; i < losses.size(); ++i)
    series.points.emplace_back(static_cast<double>(first_step) + static_cast<double>(i), losses[i]);
  return series;
}

[[nodiscard]] inline Series difference_series(const std::vector<double>& reference,
                                              const std::vector<double>& subject) {
  Series series{"|difference of losses|", "step", "nats a token", {}};
  for (std::size_t i = 0; i < reference.size(); ++i)
    series.points.emplace_back(static_cast<double>(i + 1), std::fabs(subject[i] - reference[i]));
  return series;
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/training_outcome.ipp"
#endif
