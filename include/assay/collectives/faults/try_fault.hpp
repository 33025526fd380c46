#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/detail/hang_trial.hpp"
#include "assay/collectives/faults/detail/slowness_trial.hpp"
#include "assay/collectives/faults/fault_trial.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/verification/check_collective.hpp"

namespace assay::inline v0 {

/// What an outcome of the trial's problem says of the trial's fault.
[[nodiscard]] FaultFinding finding_of(const FaultTrial& trial, const Outcome& outcome);

/// Gives a collective the trial's fault, of values, memory or order or an early exit, and checks it. Every rank calls
/// it with its end, over any runtime, and gets the same answer; the communicator stays of use. Errors: those of the
/// coordinator; `unsupported`, where the runtime lacks what it takes.
[[nodiscard]] Result<FaultFinding> try_fault(FaultyCollective& faulty, Coordinator& coordinator,
                                             const FaultTrial& trial);

/// The same of any fault; the communicator may be of no more use afterwards. Ranks that hang, crash or call something
/// else are looked for in the records of all ranks, slow ones by their times.
[[nodiscard]] Result<FaultFinding> try_fault(AnyCollective right, Coordinator& coordinator, const FaultTrial& trial,
                                             const TrialOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/try_fault.ipp"
#endif
