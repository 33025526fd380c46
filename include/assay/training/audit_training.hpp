#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/training/detail/gradient_audit.hpp"
#include "assay/training/detail/optimizer_audit.hpp"
#include "assay/training/detail/rank_agreement.hpp"
#include "assay/training/training_fault.hpp"

namespace assay::inline v0 {

/// What an audit of recorded steps found.
struct TrainingAudit {
  std::vector<TrainingFinding> findings;                   ///< most telling first; empty: all is right
  std::string undecided;                                   ///< why a step could not be judged; empty: all were
  Index steps = 0;                                         ///< that were audited
  double worst_gradient_ratio = 0;                         ///< error/allowed of the summed gradients, over elements, ranks and steps
  double worst_update_ratio = 0;                           ///< of moments and weights after the optimizer
  std::vector<std::pair<double, double>> gradient_ratios;  ///< step → worst ratio
};

/// Recomputes every recorded step from the weights that the ranks themselves had before it, so that no error is carried from one step to the next:
///
/// - weights, moments and place in the text are the same on all ranks, and at the begin those that the options say;
/// - the loss is the sum over all samples by all tokens, to 10⁻¹²;
/// - each element of the summed gradient lies within E_i of the exact sum of the samples' gradients (detail/batch_gradient.hpp), whatever the
///   algorithm, the order and the buckets of the sum;
/// - moments and weights after the step are AdamW's of that gradient, to the roundings of its formula.
///
/// A violation is held against what each fault would have given, and named after the one that explains all of it. Samples' gradients are
/// computed anew: on a machine with another math library than the ranks' they differ by more than sums may.
/// `traces` are those of all ranks, in their order. Errors: `invalid`: traces that do not belong together or to these options.
/// O(audited steps · samples · cost of a sample).
[[nodiscard]] inline Result<TrainingAudit> audit_training(const TrainingOptions& options, std::span<const TrainingTrace> traces) {
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
    detail::GradientAudit gradients = detail::audit_gradients(options, traces, k, batch, step_before == step - 1 ? &before : nullptr);
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
