#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"
#include "assay/training/training_fault.hpp"
#include "assay/training/training_trace.hpp"

namespace assay::inline v0::detail {

struct GradientAudit {
  std::vector<TrainingFinding> findings;
  std::string undecided;
  double worst_ratio = 0;
};

/// An element of a rank's summed gradient that is out of bounds.
struct GradientViolation {
  int rank = 0;
  std::size_t element = 0;
  double value = 0;
};

/// What a rank would have had of an element, and within which bounds, if the fault were the cause of all that is wrong.
struct GradientHypothesis {
  TrainingFault fault = TrainingFault::unknown;
  int rank = -1;
  std::string text;
  std::function<double(int rank, std::size_t element)> value;
  bool narrow = false;  ///< within the bounds of bfloat16
  double growth = 1;    ///< of the bounds
};

/// Step k of the recorded ones: losses and summed gradients of all ranks against the exact sums.
[[nodiscard]] GradientAudit audit_gradients(const TrainingOptions& options, std::span<const TrainingTrace> traces,
                                            std::size_t k, const BatchGradient& batch, const BatchGradient* before);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/gradient_audit.ipp"
#endif
