#pragma once

#include "assay/training/training_options.hpp"

namespace assay::testing {

/// A model so small that a step of a batch takes less than a millisecond. 13 samples, so that ranks have unequal
/// numbers of them.
inline TrainingOptions small_training() {
  TrainingOptions options;
  options.model.vocabulary = 13;
  options.model.width = 8;
  options.model.context = 6;
  options.model.hidden = 12;
  options.model.layers = 1;
  options.global_batch = 13;
  options.steps = 10;
  return options;
}

}  // namespace assay::testing
