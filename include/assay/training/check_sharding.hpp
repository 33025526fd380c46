#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/training/detail/training_outcome.hpp"
#include "assay/training/drift_bound.hpp"

namespace assay::inline v0 {

/// Whether training with a sharded state (`options.sharding`: ZeRO-1, 2 or 3) is that with a whole one on the same
/// subject. Recorded steps are audited (`audit_training`): every shard updated, whole, by the right sum, and gathered.
/// Then losses:
///
/// - `optimizer_state`: the same bits in all steps, since the same all_reduce sums;
/// - `gradients`, `weights`: the same bits where reduce_scatter adds up as all_reduce does (label `parity`), else
///   within the drift bound of the first steps.
///
/// Misuse: `options.sharding` is none.
[[nodiscard]] Outcome check_sharding(const TrainingSubject& subject, const TrainingOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/check_sharding.ipp"
#endif
