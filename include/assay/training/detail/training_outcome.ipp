#pragma once

#include "assay/training/detail/training_outcome.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Outcome training_outcome(const std::string& check, const TrainingSubject& subject,
                                                    const TrainingOptions& options) {
  Outcome outcome;
  const std::string type(name_of(options.gradient_type)), sharding(name_of(options.sharding)),
      ranks = std::to_string(subject.ranks);
  outcome.id = "training/" + check + "/" + subject.name + "/" + type + "/sharded-" + sharding + "/ranks-" + ranks;
  outcome.labels = {{"operation", check},
                    {"backend", subject.name},
                    {"formats", type},
                    {"shape", ranks + " ranks"},
                    {"sharding", sharding}};
  if (options.fault != TrainingFault::none) outcome.labels["fault"] = name_of(options.fault);
  outcome.seed = options.seed;
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE void add_audit(Outcome& outcome, const TrainingAudit& audit) {
  outcome.measure("audited_steps", static_cast<double>(audit.steps), "steps");
  outcome.measure(measurement::worst_error_ratio, std::max(audit.worst_gradient_ratio, audit.worst_update_ratio));
  outcome.measure("worst_gradient_ratio", audit.worst_gradient_ratio);
  outcome.measure("worst_update_ratio", audit.worst_update_ratio);
  for (const TrainingFinding& finding : audit.findings) {
    outcome.diagnosis.push_back(finding.text);
    if (!outcome.labels.contains("named")) outcome.labels["named"] = name_of(finding.fault);
  }
  outcome.derivation.push_back(
      "each summed gradient lies within γ_{B+n+2}·Σ|g| of the exact sum of B samples over n ranks, in any order; "
      "moments and weights "
      "within the roundings of AdamW's formula");
  Series ratios{"summed gradients: error / allowed", "step", "worst error / allowed", {}};
  for (const auto& [step, ratio] : audit.gradient_ratios)
    ratios.points.emplace_back(step, std::isfinite(ratio) ? ratio : 1e30);
  if (ratios.points.size() > 1) outcome.series.push_back(std::move(ratios));
}

}  // namespace assay::inline v0::detail
