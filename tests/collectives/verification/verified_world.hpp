#pragma once

#include <functional>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/core/outcome.hpp"

namespace assay::testing {

/// What is done after a rank's call has succeeded, to the call's buffers.
using Mischief = std::function<void(int rank, std::uint64_t number, const CollectiveCall& call)>;

/// Calls `body` on every rank of a world in process, whose right results `mischief` may alter, and gives rank 0's
/// outcome. Defined in check_collective.cpp: its world is compiled once.
Outcome outcome_of_world(int size, const std::function<Outcome(AnyCollective&, Coordinator&)>& body,
                         const Mischief& mischief = {}, bool shuffled_order = false);

}  // namespace assay::testing
