#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/direction.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/regression_options.hpp"
#include "assay/statistics/bootstrap.hpp"
#include "assay/statistics/hodges_lehmann.hpp"
#include "assay/statistics/mann_whitney.hpp"

namespace assay::inline v0 {

namespace detail {

void check_regression_options(const RegressionOptions& options);

}  // namespace detail

/// Whether `candidate` is worse than `baseline` by more than `minimum_effect`: `regressed` if the interval of the
/// relative change lies above it, `not_regressed` if nothing of it does, else `rerun`, with the number of further
/// samples that might settle it.
///
/// Positive samples are compared by their logarithms, so that the change is a ratio and slow runs weigh no more than
/// fast ones; if any sample is zero or negative, by differences over the magnitude of the baseline's median. The
/// interval is Hodges and Lehmann's (`hodges_lehmann.hpp`: exact for small samples, no distribution presumed; with 95 %
/// confidence it needs 4 samples a side) or the bootstrap's; the p-value is Mann and Whitney's against no change.
///
/// Samples are presumed independent. Repetitions within one process are not: they share its clock, heat and memory
/// layout, so give one value a run, its median, or say how far they depend on one another by `variance_inflation`.
///
/// Samples that are NaN, infinite or beyond 1e150, too few samples and a baseline of median 0 give `rerun` with the
/// reason: a run that failed must not end a gate. Misuse: options outside their ranges. O((m + n)·log(m + n)) beside at
/// most 10 ms for exact distributions with ties; the bootstrap O(resamples·(m + n)).
[[nodiscard]] RegressionJudgment judge_regression(std::span<const double> baseline, std::span<const double> candidate,
                                                  Direction direction, const RegressionOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/regression.ipp"
#endif
