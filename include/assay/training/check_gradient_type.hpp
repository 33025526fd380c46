#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/training/detail/training_outcome.hpp"

namespace assay::inline v0 {

/// How far gradients that are summed in `options.gradient_type` (bfloat16, say) are from those summed in float32, and
/// from the exact sums: measured over the recorded steps of the subject, beside the derived bound
/// γ_{B+n+2}(2⁻²⁴)·Σ_s|g_s| + γ_{n+1}(2⁻⁸)·Σ_r|g_r| (audit_training). For each step and type: error/allowed, the
/// relative deviation ‖G − G_exact‖/‖G_exact‖ and its bound ‖E‖/‖G_exact‖. Both types start every step from the weights
/// of the run in `gradient_type`. Fails as `audit_training` does.
[[nodiscard]] Outcome check_gradient_type(const TrainingSubject& subject, const TrainingOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/check_gradient_type.ipp"
#endif
