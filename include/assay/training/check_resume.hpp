#pragma once

#include <span>
#include <string>
#include <vector>

#include "assay/training/checkpoint.hpp"
#include "assay/training/detail/training_outcome.hpp"

namespace assay::inline v0 {
/// Whether training that was ended and resumed from a checkpoint is the training that was never interrupted: losses of
/// every step since, weights before every step, and weights, moments, step, and places in the text and in the random
/// numbers at the end are the same bit for bit, on every rank. Same ranks and algorithm, and a collective that sums the
/// same bits in the same order every time, are presumed: check that first by two whole runs. What was not restored is
/// found by going on without each piece and comparing losses. `whole` and `resumed` are the traces of all ranks, in
/// their order. Training that began anew is not resumed: an error. O(steps) of training on one process, where something
/// differs.
[[nodiscard]] Outcome check_resume(const std::string& name, const TrainingOptions& options,
                                   std::span<const TrainingTrace> whole, std::span<const TrainingTrace> resumed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/check_resume.ipp"
#endif
