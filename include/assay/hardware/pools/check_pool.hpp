#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/hardware/pools/allocation_trace.hpp"
#include "assay/hardware/pools/pool_subject.hpp"

namespace assay::inline v0 {

/// What a pool is held to.
struct PoolCheckOptions {
  /// The largest reserved memory over the largest memory in use at once; more fails. 0: it is measured only.
  double most_overhead = 0;
  unsigned rounds = 2;  ///< of the trace, one after the other: what grows from round to round is lost
};

/// `hardware/pools/<subject>`: replays the trace. Each block is written over its whole length with words of its own
/// when it is given, and read back when it ends: who gives memory twice, too little of it, or writes into it shows.
/// Uses after a free by a program, not by the pool, show in a `PoisoningResource`. Fails: a wrong
/// alignment, blocks that overlap, content that changed, memory reserved that is not given back at the end where the
/// pool can release (a leak), reserved memory that grows from round to round, an overhead above the most allowed. A
/// refusal is an error. Inconclusive: an empty trace. O(bytes of the trace).
[[nodiscard]] Outcome check_pool(const PoolSubject& subject, const AllocationTrace& trace,
                                 const PoolCheckOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/pools/check_pool.ipp"
#endif
