#pragma once

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
  std::vector<TrainingFinding> findings;  ///< most telling first; empty: all is right
  std::string undecided;                  ///< why a step could not be judged; empty: all were
  Index steps = 0;                        ///< that were audited
  double worst_gradient_ratio = 0;        ///< error/allowed of the summed gradients, over elements, ranks and steps
  double worst_update_ratio = 0;          ///< of moments and weights after the optimizer
  std::vector<std::pair<double, double>> gradient_ratios;  ///< step → worst ratio
};

/// Recomputes every recorded step from the weights that the ranks themselves had before it, so that no error is carried
/// from one step to the next:
///
/// - weights, moments and place in the text are the same on all ranks, and at the begin those that the options say;
/// - the loss is the sum over all samples by all tokens, to 10⁻¹²;
/// - each element of the summed gradient lies within E_i of the exact sum of the samples' gradients
///   (detail/batch_gradient.hpp), whatever the algorithm, the order and the buckets of the sum;
/// - moments and weights after the step are AdamW's of that gradient, to the roundings of its formula.
///
/// A violation is held against what each fault would have given, and named after the one that explains all of it.
/// Samples' gradients are computed anew: on a machine with another math library than the ranks' they differ by more
/// than sums may. `traces` are those of all ranks, in their order. Errors: `invalid`: traces that do not belong
/// together or to these options. O(audited steps · samples · cost of a sample).
[[nodiscard]] Result<TrainingAudit> audit_training(const TrainingOptions& options,
                                                   std::span<const TrainingTrace> traces);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/audit_training.ipp"
#endif
