#pragma once

#include <utility>
#include <vector>

#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/training/training_subject.hpp"

namespace assay::inline v0 {

/// Trains on ranks that are threads of this process. What is wrong with the options of training is misuse as
/// everywhere; what a rank meets is an error that names it.
[[nodiscard]] TrainingSubject in_process_training(int ranks, const InProcessOptions& world = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/in_process_training.ipp"
#endif
