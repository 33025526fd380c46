#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "assay/collectives/measurement/detail/sweep_point_measurement.hpp"
#include "assay/collectives/measurement/sweep_options.hpp"
#include "assay/collectives/measurement/sweep_result.hpp"

namespace assay::inline v0 {

/// Told of each point as soon as it is measured, on every rank.
using SweepObserver = std::function<void(const SweepPoint&)>;

/// Measures operations size by size, as nccl-tests does. Every rank calls it with the same options, beside a
/// coordinator that does not use the communicator under test.
///
/// Calls of one size run in batches, one after another without a pause, after a barrier; each is timed on every rank.
/// Buffers rotate, and what a batch left in them is compared, element by element, before the next batch begins: off the
/// clock, so that times are those of a sweep that verifies nothing, and every timed call is verified. Between batches
/// inputs of calls in place are written again.
///
/// Errors: `invalid` options; those of the coordinator. An operation that the runtime lacks, or that fails, is a point
/// with an error; after a call that timed out or was aborted, the communicator is of no use, and the sweep ends with
/// that point.
[[nodiscard]] Result<SweepResult> sweep(AnyCollective& collective, Coordinator& coordinator,
                                        const SweepOptions& options, const SweepObserver& observer = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep.ipp"
#endif
