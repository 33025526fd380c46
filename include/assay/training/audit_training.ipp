#pragma once

#include "assay/training/audit_training.hpp"

#include <algorithm>
#include <iterator>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<TrainingAudit> audit_training(const TrainingOptions& options,
                                                                std::span<const TrainingTrace> traces) {
  if (auto fit = detail::check_traces(options, traces); !fit) return fit.propagate();
  TrainingAudit audit;
  const auto found = [&](std::vector<TrainingFinding> findings) {
    std::move(findings.begin(), findings.end(), std::back_inserter(audit.findings));
  };
  detail::BatchGradient before;
  Index step_before = -1;
  for (std::size_t k = 0; k < traces[0].audited.size() && audit.findings.empty(); ++k) {
    const Index step = traces[0].audited[k].step;
    found(detail::disagreements_before(options, traces, k));
    if (!audit.findings.empty()) break;
    detail::BatchGradient batch = detail::batch_gradient(options, traces[0].audited[k].before);
    detail::GradientAudit gradients =
        detail::audit_gradients(options, traces, k, batch, step_before == step - 1 ? &before : nullptr);
    audit.undecided = gradients.undecided;
    if (!audit.undecided.empty()) break;
    found(std::move(gradients.findings));
    audit.worst_gradient_ratio = std::max(audit.worst_gradient_ratio, gradients.worst_ratio);
    audit.gradient_ratios.emplace_back(static_cast<double>(step), gradients.worst_ratio);
    for (const TrainingTrace& trace : traces) {
      detail::OptimizerAudit update = detail::audit_optimizer(options, trace, k);
      audit.worst_update_ratio = std::max(audit.worst_update_ratio, update.worst_ratio);
      found(std::move(update.findings));
    }
    if (audit.findings.empty()) found(detail::disagreements_after(options, traces, k));
    before = std::move(batch);
    step_before = step;
    ++audit.steps;
  }
  if (audit.findings.empty()) found(detail::disagreements_of_checksums(traces));
  if (audit.steps == 0 && audit.undecided.empty())
    audit.undecided = "no step was recorded in full, so that nothing was recomputed: set audited_first";
  return audit;
}

}  // namespace assay::inline v0
