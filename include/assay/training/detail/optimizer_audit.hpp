#pragma once

#include <string>
#include <vector>

#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"
#include "assay/training/training_fault.hpp"
#include "assay/training/training_trace.hpp"

namespace assay::inline v0::detail {

struct OptimizerAudit {
  std::vector<TrainingFinding> findings;
  double worst_ratio = 0;
};

/// AdamW of one weight in double, with what the roundings of float32 may add: of constants, the complements 1 − β
/// (which lose u·(1 + β)/(1 − β) of themselves), products, sums, quotients and the root. `weight` starts from the
/// moments that were stored.
struct AdamWElement {
  double first = 0, first_error = 0, second = 0, second_error = 0, weight = 0, weight_error = 0;

  AdamWElement(const AdamW& optimizer, Index step, double g, double w, double m, double v, double new_first,
               double new_second);
};

/// Step k of the recorded ones: whether this rank's shard was updated as AdamW has it.
[[nodiscard]] OptimizerAudit audit_optimizer(const TrainingOptions& options, const TrainingTrace& trace, std::size_t k);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/optimizer_audit.ipp"
#endif
