#pragma once

#include <algorithm>
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
#include <thread>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/faults/detail/faulty_call.hpp"
#include "assay/collectives/faults/fault_injection.hpp"
#include "assay/core/detail/printed_number.hpp"

namespace assay::inline v0 {

/// A right collective that is given a fault: wrap your own to see that your checks would notice. Every rank of the communicator
/// wraps its end with the same injection. Copies are the same end, with the same fault. Works over any runtime, since faults come about outside of it: by what goes in, what
/// comes out, and what is called. Calls that the fault does not fit, bad calls and those before
/// `first_call` are passed on as they are.
///
/// "The guilty rank" of an output that only the root has, or of an input that only the root gives, is the root.
/// A fault in the arithmetic or order of a reduction gathers all ranks' inputs by the runtime's all_gather and reduces them itself: O(size · count).
/// `out_of_bounds_write` needs an element behind the output that belongs to the caller. `early_barrier_exit` runs the barrier
/// in a thread of its own, which has ended before the next call begins: over MPI, initialise for MPI_THREAD_SERIALIZED.
/// Misuse: a fault of another name, a rank that is none, chunks below 1, a rate outside [0, 1].
class FaultyCollective {
 public:
  static constexpr bool checks_calls = true;  // by the wrapped runtime

  /// Misuse: see the class.
  FaultyCollective(AnyCollective right, FaultInjection how) : state_(std::make_shared<State>(std::move(right))) { inject(std::move(how)); }

  /// Another fault from the next call on, which is number 0; an empty name takes the fault away. On every rank, before the same call.
  void inject(FaultInjection how) { state_->inject(std::move(how)); }

  [[nodiscard]] int rank() const { return state_->right.rank(); }
  [[nodiscard]] int size() const { return state_->right.size(); }
  /// "mpi+bit_flip"
  [[nodiscard]] std::string name() const { return state_->right.name() + (state_->fault ? "+" + state_->fault->name : ""); }
  [[nodiscard]] CollectiveMemory memory() const { return state_->memory; }
  /// How the fault is injected.
  [[nodiscard]] const FaultInjection& injection() const { return state_->how; }
  /// Calls until now that were hit, whether or not this rank is the guilty one.
  [[nodiscard]] std::uint64_t hits() const { return state_->hits; }
  /// Calls until now in which something was not as it would have been on this rank: a boundary between equal elements alters nothing.
  [[nodiscard]] std::uint64_t altered() const { return state_->altered; }
  void abort(std::string_view reason) {
    {
      const std::lock_guard lock(state_->mutex);
      state_->aborted = true;
    }
    state_->woken.notify_all();
    state_->right.abort(reason);
  }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) { return run({&call, 1}, deadline, false); }

  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) { return run(calls, deadline, true); }

  /// A part has the fault of the whole at the same rank of its own; where it is too small for that, none.
  [[nodiscard]] Result<FaultyCollective> split(int colour) {
    auto part = state_->right.split(colour);
    if (!part) return part.propagate();
    FaultInjection how = state_->how;
    if (how.rank >= part.value().size()) how = {};
    return FaultyCollective(std::move(part).value(), std::move(how));
  }

 private:
  struct State {
    explicit State(AnyCollective wrapped) : right(std::move(wrapped)), memory(right.memory()) {}

    void inject(FaultInjection injection) {
      const auto named = collective_fault_named(injection.fault);
      expect(named || injection.fault.empty(),
             [&] { return "collectives have no fault '" + injection.fault + "'; `collective_faults()` lists them"; });
      expect(injection.fault.empty() || (injection.rank >= 0 && injection.rank < right.size()), [&] {
        return "the guilty rank is " + std::to_string(injection.rank) + "; it must be a rank, 0 to " + std::to_string(right.size() - 1);
      });
      expect(injection.chunks >= 1 && injection.offset_limit >= 1,
             [] { return std::string("`chunks` and `offset_limit` of a FaultInjection must be 1 or more"); });
      expect(injection.rate >= 0 && injection.rate <= 1,
             [&] { return "the rate of a fault is " + detail::printed_number(injection.rate) + "; it is a part of all calls, 0 to 1"; });
      if (injection.rate == 0) injection.rate = injection.fault == "intermittent_bit_flip" ? 1e-4 : 1;
      fault = named;
      how = std::move(injection);
      last = {};
      calls = hits = altered = 0;
      crashed = false;
    }
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
    std::deque<detail::FaultyCall> given_up;  ///< runtimes that cannot withdraw an operation may still use their buffers
    std::future<Result<void>> left;           ///< a barrier that the rank has left
  };

  [[nodiscard]] Result<void> run(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped) {
    State& state = *state_;
    if (state.left.valid())
      if (auto done = state.left.get(); !done) return done;
    if (state.crashed) return crash();
    std::vector<bool> hit;
    for (const CollectiveCall& call : calls) hit.push_back(is_hit(call, state.calls++));
    if (std::find(hit.begin(), hit.end(), true) == hit.end() && !remembers()) return pass_on(calls, deadline, grouped);
    state.hits += static_cast<std::uint64_t>(std::count(hit.begin(), hit.end(), true));
    if (state.fault->fault_class == FaultClass::progress && state.fault->symptom != FaultSymptom::mismatch)
      return state.guilty() ? ++state.altered, misbehave(calls, deadline, grouped) : pass_on(calls, deadline, grouped);
    if (state.is("order_inversion")) return state.guilty() ? ++state.altered, invert(calls, deadline) : pass_on(calls, deadline, grouped);
    return alter(calls, hit, deadline, grouped);
  }

  [[nodiscard]] bool is_hit(const CollectiveCall& call, std::uint64_t number) const {
    const State& state = *state_;
    if (!state.fault || number < state.how.first_call || !state.fault->fits(call.operation, call.reduction, call.type) ||
        !check_call(call, rank(), size()))
      return false;
    return state.how.rate == 1 || static_cast<double>(detail::mixed(state.how.seed, number, 0) >> 11) < state.how.rate * 0x1p53;
  }
  [[nodiscard]] bool remembers() const { return state_->is("stale_input") || state_->is("previous_output"); }

  [[nodiscard]] Result<void> pass_on(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped) {
    return grouped ? state_->right.run_group(calls, deadline) : state_->right.run(calls.front(), deadline);
  }

  /// Faults of the values, the memory and the fields of calls.
  [[nodiscard]] Result<void> alter(std::span<const CollectiveCall> calls, const std::vector<bool>& hit, Deadline deadline, bool grouped) {
    State& state = *state_;
    std::deque<detail::FaultyCall> faulty;
    std::vector<CollectiveCall> altered;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      faulty.emplace_back(state.right, state.memory, state.how, calls[i], state.calls - calls.size() + i, hit[i]);
      if (auto prepared = faulty.back().prepare(state.last, deadline); !prepared) return prepared;
      altered.push_back(faulty.back().call());
    }
    if (auto done = pass_on(altered, deadline, grouped); !done) {
      for (detail::FaultyCall& call : faulty) state.given_up.push_back(std::move(call));
      return done;
    }
    for (detail::FaultyCall& call : faulty) {
      if (auto finished = call.finish(state.last); !finished) return finished;
      state.altered += call.altered() ? 1 : 0;
      if (remembers())
        if (auto remembered = call.remember(state.last); !remembered) return remembered;
    }
    return {};
  }

  /// The guilty rank, where it does not come, comes late or goes early.
  [[nodiscard]] Result<void> misbehave(std::span<const CollectiveCall> calls, Deadline deadline, bool grouped) {
    State& state = *state_;
    if (state.is("rank_crash")) return crash();
    if (state.is("rank_hang")) return hang(deadline);
    if (state.is("early_barrier_exit") && !grouped) {
      state.left =
          std::async(std::launch::async, [&right = state.right, call = calls.front(), deadline] { return right.run(call, deadline); });
      return {};
    }
    const int next = (state.how.rank + 1) % state.right.size();
    const bool on_link = std::any_of(calls.begin(), calls.end(), [&](const CollectiveCall& call) { return call.destination == next; });
    if (state.is("slow_rank") || on_link) std::this_thread::sleep_for(state.how.delay);
    return pass_on(calls, deadline, grouped);
  }
  [[nodiscard]] Result<void> hang(Deadline deadline) {
    State& state = *state_;
    std::unique_lock lock(state.mutex);
    const bool aborted = state.woken.wait_until(lock, deadline, [&] { return state.aborted; });
    return failure(aborted ? ErrorKind::aborted : ErrorKind::timed_out,
                   "rank " + std::to_string(rank()) + " hung, by the fault that it was given");
  }
  [[nodiscard]] Result<void> crash() {
    if (state_->how.crash && !state_->crashed) state_->how.crash();
    state_->crashed = true;
    return failure(ErrorKind::device, "rank " + std::to_string(rank()) + " has crashed, by the fault that it was given");
  }
  [[nodiscard]] Result<void> invert(std::span<const CollectiveCall> calls, Deadline deadline) {
    if (calls.size() > 1) {
      for (std::size_t i = calls.size(); i > 0; --i)
        if (auto done = state_->right.run(calls[i - 1], deadline); !done) return done;
      return {};
    }
    CollectiveCall barrier;
    barrier.operation = CollectiveOperation::barrier;
    if (auto done = state_->right.run(barrier, deadline); !done) return done;
    return state_->right.run(calls.front(), deadline);
  }

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
