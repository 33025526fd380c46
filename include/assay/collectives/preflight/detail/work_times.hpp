#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/stragglers/slow_ranks.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0::detail {

/// Seconds that each rank takes for the same work, again and again, with a barrier before each so that all work at the
/// same time. Errors: those of any rank, on all of them.
[[nodiscard]] Result<RankTimes> work_times(AnyCollective& collective, Coordinator& coordinator,
                                           std::chrono::milliseconds deadline);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/preflight/detail/work_times.ipp"
#endif
