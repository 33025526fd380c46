#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/fault_trial.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/faults/trial_options.hpp"
#include "assay/collectives/flight/flight_exchange.hpp"
#include "assay/collectives/flight/hang_report.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/collectives/verification/rank_check.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] FaultFinding finding_of(const FaultTrial& trial, const HangReport& report);

/// Makes one right call and one with the trial's fault, and a barrier where a rank is absent, since not every operation
/// makes the others wait; records them, and asks the records who kept whom waiting.
[[nodiscard]] Result<FaultFinding> try_hang(AnyCollective right, Coordinator& coordinator, FaultTrial trial,
                                            const TrialOptions& options);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/detail/hang_trial.ipp"
#endif
