#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/buffer_overlap.hpp"
#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/coordinator.hpp"

namespace assay::inline v0 {

/// Any runtime, with a comparison of all ranks' calls before each, for runtimes that do not compare (MPI, NCCL): what
/// would hang or write where it must not is refused on every rank alike, naming ranks and fields, before the runtime
/// sees it; the communicator stays usable. Is a `Collective` of the same name. Costs an exchange of the coordinator a
/// call.
class GuardedCollective {
 public:
  /// The coordinator is this rank's, of the same ranks in the same order. Misuse: ranks or sizes that differ.
  GuardedCollective(AnyCollective inner, std::shared_ptr<Coordinator> coordinator);

  [[nodiscard]] int rank() const { return inner_.rank(); }
  [[nodiscard]] int size() const { return inner_.size(); }
  [[nodiscard]] std::string name() const { return inner_.name(); }
  void abort(std::string_view reason) { inner_.abort(reason); }
  [[nodiscard]] CollectiveMemory memory() const { return inner_.memory(); }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return run_group({&call, 1}, deadline);
  }

  /// Errors: `timed_out`, naming the ranks that did not come; `invalid`, naming the ranks and fields that contradict
  /// themselves or each other; those of the coordinator; the runtime's.
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    if (auto agreed = agree(calls, deadline); !agreed) return agreed;
    return calls.size() == 1 ? inner_.run(calls.front(), deadline) : inner_.run_group(calls, deadline);
  }

 private:
  inline static const std::string refused = "refused: ";

  [[nodiscard]] Result<void> agree(std::span<const CollectiveCall> calls, Deadline deadline);

  [[nodiscard]] static Result<std::vector<CollectiveCall>> calls_of(std::string_view text);

  [[nodiscard]] static Result<void> compare(const std::vector<std::vector<CollectiveCall>>& groups,
                                            const std::string& what);

  AnyCollective inner_;
  std::shared_ptr<Coordinator> coordinator_;
};

/// As for any collective; a call that contradicts itself is told to all ranks, so that none waits for it.
[[nodiscard]] inline Result<void> launch(GuardedCollective& collective, const CollectiveCall& call, Deadline deadline) {
  return collective.run_group({&call, 1}, deadline);
}
/// As `launch` of groups, with the comparison before: what ranks would do differently is refused on all.
[[nodiscard]] inline Result<void> launch_group(GuardedCollective& collective, std::span<const CollectiveCall> calls,
                                               Deadline deadline) {
  return collective.run_group(calls, deadline);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/guarded_collective.ipp"
#endif
