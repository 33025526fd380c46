#pragma once

#include "assay/collectives/verification/check_collective.hpp"
#include "assay/validators/device/device_rank_check.hpp"

namespace assay::inline v0 {

/// `check_collective` of an all_reduce whose buffers lie in the memory of `backend`, where data are made, and what
/// comes of them is judged: gigabytes are checked at that memory's speed, and nothing but counts is copied to the host.
/// For exact data (decode, exact), whose every bit is known. Every rank calls it alike; one rank on one device will do.
///
/// `unsupported`: other operations and data. Misuse: as `DeviceRankCheck::make`.
template <ParallelBackend B>
[[nodiscard]] Outcome check_all_reduce_on_device(B& backend, AnyCollective& collective, Coordinator& coordinator,
                                                 const CollectiveProblem& problem,
                                                 const CollectiveCheckOptions& options = {}) {
  return detail::check_calls(collective, coordinator, problem, options,
                             DeviceRankCheck<B>::make(backend, collective, problem, options.slots));
}

}  // namespace assay::inline v0
