#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/faults/detail/faulty_call.hpp"
#include "assay/collectives/faults/fault_injection.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

/// A right collective that is given a fault: wrap your own to see that your checks would notice. Every rank of the
/// communicator wraps its end with the same injection. Copies are the same end, with the same fault. Works over any
/// runtime, since faults come about outside of it: by what goes in, what comes out, and what is called. Calls that the
/// fault does not fit, bad calls and those before `first_call` are passed on as they are.
///
/// "The guilty rank" of an output that only the root has, or of an input that only the root gives, is the root. A fault
/// in the arithmetic or order of a reduction gathers all ranks' inputs by the runtime's all_gather and reduces them
/// itself: O(size · count). `out_of_bounds_write` needs an element behind the output that belongs to the caller.
/// `early_barrier_exit` runs the barrier in a thread of its own, which has ended before the next call begins: over MPI,
/// initialize for MPI_THREAD_SERIALIZED. Misuse: a fault of another name, a rank that is none, chunks below 1, a rate
/// outside [0, 1].
class FaultyCollective {
 public:
  static constexpr bool checks_calls = true;  // by the wrapped runtime

  /// Misuse: see the class.
  FaultyCollective(AnyCollective right, FaultInjection how) : state_(std::make_shared<State>(std::move(right))) {
    inject(std::move(how));
  }

  /// Another fault from the next call on, which is number 0; an empty name takes the fault away. On every rank, before
  /// the same call.
  void inject(FaultInjection how) { state_->inject(std::move(how)); }

  [[nodiscard]] int rank() const { return state_->right.rank(); }
  [[nodiscard]] int size() const { return state_->right.size(); }
  /// "mpi+bit_flip"
  [[nodiscard]] std::string name() const {
    return state_->right.name() + (state_->fault ? "+" + state_->fault->name : "");
  }
  [[nodiscard]] CollectiveMemory memory() const { return state_->memory; }
  /// How the fault is injected.
  [[nodiscard]] const FaultInjection& injection() const { return state_->how; }
  /// Calls until now that were hit, whether or not this rank is the guilty one.
  [[nodiscard]] std::uint64_t hits() const { return state_->hits; }
  /// Calls until now in which something was not as it would have been on this rank: a boundary between equal elements
  /// alters nothing.
  [[nodiscard]] std::uint64_t altered() const { return state_->altered; }
  void abort(std::string_view reason);

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return run({&call, 1}, deadline, false);
  }

  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    return run(calls, deadline, true);
  }

  /// A part has the fault of the whole at the same rank of its own; where it is too small for that, none.
  [[nodiscard]] Result<FaultyCollective> split(int color);

 private:
  struct State {
    explicit State(AnyCollective wrapped) : right(std::move(wrapped)), memory(right.memory()) {}

    void inject(FaultInjection injection);
    [[nodiscard]] bool is(std::string_view name) const { return how.fault == name; }
    [[nodiscard]] bool guilty() const { return right.rank() == how.rank; }

    AnyCollective right;
    FaultInjection how;
    CollectiveMemory memory;
    std::optional<CollectiveFault> fault;
    detail::LastCall last;
    std::uint64_t calls = 0, hits = 0, altered = 0;
    bool crashed = false;
    std::mutex mutex;
    std::condition_variable woken;
    bool aborted = false;
    std::deque<detail::FaultyCall>
        given_up;                    ///< runtimes that cannot withdraw an operation may still use their buffers
    std::future<Result<void>> left;  ///< a barrier that the rank has left
  };

  [[nodiscard]] Result<void> run(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped);

  [[nodiscard]] bool is_hit(const CollectiveCall& call, std::uint64_t number) const;
  [[nodiscard]] bool remembers() const { return state_->is("stale_input") || state_->is("previous_output"); }

  [[nodiscard]] Result<void> pass_on(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped) {
    return grouped ? state_->right.run_group(calls, deadline) : state_->right.run(calls.front(), deadline);
  }

  /// Faults of the values, the memory and the fields of calls.
  [[nodiscard]] Result<void> alter(std::span<const CollectiveCall> calls, const std::vector<bool>& hit,
                                   Deadline deadline, bool grouped);

  /// The guilty rank, where it does not come, comes late or goes early.
  [[nodiscard]] Result<void> misbehave(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped);
  [[nodiscard]] Result<void> hang(Deadline deadline);
  [[nodiscard]] Result<void> crash() {
    if (state_->how.crash && !state_->crashed) state_->how.crash();
    state_->crashed = true;
    return failure(ErrorKind::device,
                   "rank " + std::to_string(rank()) + " has crashed, by the fault that it was given");
  }
  [[nodiscard]] Result<void> invert(std::span<const CollectiveCall> calls, Deadline deadline);

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/faulty_collective.ipp"
#endif
