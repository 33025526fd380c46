#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/detail/rank_list.hpp"
#include "assay/collectives/in_process/detail/communicator.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] std::string title_of(const Arrival& arrival, std::uint64_t call);

/// Why the ranks' calls are not the same; empty if they are. Quick where they are, thorough where they are not.
[[nodiscard]] std::string disagreement(const std::vector<Arrival>& arrivals);

/// Waits until all ranks have come and agree. Errors, on every rank: `invalid`, naming ranks and field, after which the
/// communicator is as before; `timed_out` and `aborted`, naming the ranks that are missing. With `stay` false the rank
/// says what it is about to do, and goes on.
[[nodiscard]] Result<void> agree(Communicator& communicator, int rank, Arrival arrival, bool stay, Deadline deadline);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/agreement.ipp"
#endif
