#pragma once

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/preflight/preflight_result.hpp"

namespace assay {

/// A quick health check of the ranks of a job before it starts, within `options.budget`: the main operations on data whose
/// results are exact, then every link, slow ranks and links; a hang is explained. Called by every rank at the same time.
[[nodiscard]] inline PreflightResult preflight(AnyCollective& collective, Coordinator& coordinator, const PreflightOptions& options = {});

}  // namespace assay
