#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/collectives/verification/detail/checked_call.hpp"
#include "assay/collectives/verification/determinism_level.hpp"

namespace assay::inline v0 {

/// What leaves the bits of this problem's reduction as they are: the same call is made again, with buffers elsewhere
/// and in two halves (all_reduce and reduce only). Every rank calls it alike and receives the same answer. It shows the
/// order of adding on data that rounds, best on `CollectiveDataKind::order_probe`. That ranks agree is a matter of
/// `check_collective`, and taken for granted. Errors: those of the runtime and of the coordinator; `aborted`, where
/// another rank had one.
[[nodiscard]] Result<DeterminismLevel> measure_determinism(AnyCollective& collective, Coordinator& coordinator,
                                                           const CollectiveProblem& problem,
                                                           const CollectiveCheckOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/measure_determinism.ipp"
#endif
