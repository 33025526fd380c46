#pragma once

#include <memory>
#include <utility>

#include "assay/collectives/faults/fault_trial.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/faults/trial_options.hpp"
#include "assay/collectives/flight/flight_exchange.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/collectives/stragglers/slow_links.hpp"
#include "assay/collectives/stragglers/slow_ranks.hpp"
#include "assay/collectives/verification/rank_check.hpp"

namespace assay::inline v0::detail {

/// `slow_rank` by the records of a loop of all_reduces, `slow_link` by messages between all pairs. A link is slow for
/// what is sent and for what is acknowledged: both directions count.
[[nodiscard]] Result<FaultFinding> try_slowness(AnyCollective right, Coordinator& coordinator, const FaultTrial& trial,
                                                const TrialOptions& options);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/detail/slowness_trial.ipp"
#endif
