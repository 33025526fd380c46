#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/verification/collective_check_options.hpp"
#include "assay/collectives/verification/rank_check.hpp"
#include "assay/core/assign.hpp"

namespace assay::inline v0::detail {

/// What every rank found after one call, in the order of ranks. A rank that did not say gives an error of its own.
[[nodiscard]] Result<std::vector<RankFinding>> exchange_findings(Coordinator& coordinator, const RankFinding& mine,
                                                                 Deadline deadline);

/// Prepares, launches and inspects one call on this rank. `Check` is `RankCheck`, or one that does the same elsewhere.
template <class Check>
[[nodiscard]] RankFinding checked_call(AnyCollective& collective, Check& check, std::size_t slot, std::uint64_t number,
                                       std::chrono::steady_clock::duration timeout) {
  RankFinding finding;
  finding.rank = collective.rank();
  finding.call = number;
  Result<void> done = check.prepare(slot, number);
  if (done) assign(done, collective.run(check.call(slot), deadline_after(timeout)));
  if (!done) {
    finding.error = done.error();
    return finding;
  }
  auto inspected = check.inspect(slot);
  if (inspected) return std::move(inspected).value();
  finding.error = inspected.error();
  return finding;
}

/// One barrier to which one rank comes late. All ranks meet beside the communicator; nobody has left that meeting
/// before this rank entered it, so the late rank comes to the barrier at least `delay` after that moment, and this
/// rank, whatever its clock, must not leave the barrier sooner. The delay grows with what a meeting takes, which would
/// hide who leaves too early.
[[nodiscard]] RankFinding checked_barrier(AnyCollective& collective, Coordinator& coordinator, std::uint64_t number,
                                          const CollectiveCheckOptions& options);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/checked_call.ipp"
#endif
