#pragma once

#include <algorithm>
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
[[nodiscard]] inline Outcome training_outcome(const std::string& check, const TrainingSubject& subject, const TrainingOptions& options) {
  Outcome outcome;
  const std::string type(name_of(options.gradient_type)), sharding(name_of(options.sharding)), ranks = std::to_string(subject.ranks);
  outcome.id = "training/" + check + "/" + subject.name + "/" + type + "/sharded-" + sharding + "/ranks-" + ranks;
  outcome.labels = {
      {"operation", check}, {"backend", subject.name}, {"formats", type}, {"shape", ranks + " ranks"}, {"sharding", sharding}};
  if (options.fault != TrainingFault::none) outcome.labels["fault"] = name_of(options.fault);
  outcome.seed = options.seed;
  return outcome;
}

[[nodiscard]] inline Outcome failed_training(Outcome outcome, const std::string& who, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
  outcome.reason = "training by " + who + " failed: " + error.message;
  return outcome;
}

/// Measurements, derivation and diagnosis of an audit; the verdict is the caller's.
inline void add_audit(Outcome& outcome, const TrainingAudit& audit) {
  outcome.measure("audited_steps", static_cast<double>(audit.steps), "steps");
  outcome.measure(measurement::worst_error_ratio, std::max(audit.worst_gradient_ratio, audit.worst_update_ratio));
  outcome.measure("worst_gradient_ratio", audit.worst_gradient_ratio);
  outcome.measure("worst_update_ratio", audit.worst_update_ratio);
  for (const TrainingFinding& finding : audit.findings) {
    outcome.diagnosis.push_back(finding.text);
    if (!outcome.labels.contains("named")) outcome.labels["named"] = name_of(finding.fault);
  }
  outcome.derivation.push_back(
      "each summed gradient lies within γ_{B+n+2}·Σ|g| of the exact sum of B samples over n ranks, in any order; moments and weights "
      "within the roundings of AdamW's formula");
  Series ratios{"summed gradients: error / allowed", "step", "worst error / allowed", {}};
  for (const auto& [step, ratio] : audit.gradient_ratios) ratios.points.emplace_back(step, std::isfinite(ratio) ? ratio : 1e30);
  if (ratios.points.size() > 1) outcome.series.push_back(std::move(ratios));
}

[[nodiscard]] inline Series loss_series(std::string title, const std::vector<double>& losses, Index first_step = 1) {
  Series series{std::move(title), "step", "nats a token", {}};
  for (std::size_t i = 0; i < losses.size(); ++i)
    series.points.emplace_back(static_cast<double>(first_step) + static_cast<double>(i), losses[i]);
  return series;
}

[[nodiscard]] inline Series difference_series(const std::vector<double>& reference, const std::vector<double>& subject) {
  Series series{"|difference of losses|", "step", "nats a token", {}};
  for (std::size_t i = 0; i < reference.size(); ++i)
    series.points.emplace_back(static_cast<double>(i + 1), std::fabs(subject[i] - reference[i]));
  return series;
}

}  // namespace assay::inline v0::detail
