#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/core/environment.hpp"
#include "collectives_options.hpp"

namespace assay_program {

/// What a rank does with its end; returns the exit code, the same on all ranks. Rank 0 alone prints.
using RankWork = std::function<int(assay::AnyCollective& collective, assay::Coordinator& coordinator)>;

/// Gives the ranks of this process their ends: all of them as threads, or the one that a launcher made this process. Returns the exit code.
/// Errors: the runtime is not built in, not there, or was not started as it needs to be.
[[nodiscard]] assay::Result<int> with_ranks(const CollectivesOptions& options, const RankWork& work);

/// Adds the libraries of a runtime to what is recorded.
void describe_runtime(const std::string& runtime, assay::Environment& environment);

}  // namespace assay_program
