#pragma once

#include <sched.h>

#include <string>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/detail/rank_list.hpp"

namespace assay::inline v0::detail {

/// Who is there.
struct RollCall {
  std::size_t hosts = 0;
  std::string oversubscribed;  ///< "host a runs 8 ranks on 2 processors"; empty: none is
};

/// Errors: `timed_out`, naming the ranks that did not answer; `invalid`: ranks that take the communicator for one of
/// another size.
[[nodiscard]] Result<RollCall> roll_call(Coordinator& coordinator, int rank, int size, Deadline deadline);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/preflight/detail/roll_call.ipp"
#endif
