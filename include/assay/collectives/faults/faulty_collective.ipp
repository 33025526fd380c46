#pragma once

#include "assay/collectives/faults/faulty_collective.hpp"

#include <algorithm>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void FaultyCollective::abort(std::string_view reason) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->aborted = true;
  }
  state_->woken.notify_all();
  state_->right.abort(reason);
}

ASSAY_DETAIL_HEADER_INLINE Result<FaultyCollective> FaultyCollective::split(int color) {
  auto part = state_->right.split(color);
  if (!part) return part.propagate();
  FaultInjection how = state_->how;
  if (how.rank >= part.value().size()) how = {};
  return FaultyCollective(std::move(part).value(), std::move(how));
}

ASSAY_DETAIL_HEADER_INLINE void FaultyCollective::State::inject(FaultInjection injection) {
  const auto named = collective_fault_named(injection.fault);
  expect(named || injection.fault.empty(),
         [&] { return "collectives have no fault '" + injection.fault + "'; `collective_faults()` lists them"; });
  expect(injection.fault.empty() || (injection.rank >= 0 && injection.rank < right.size()), [&] {
    return "the guilty rank is " + std::to_string(injection.rank) + "; it must be a rank, 0 to " +
           std::to_string(right.size() - 1);
  });
  expect(injection.chunks >= 1 && injection.offset_limit >= 1,
         [] { return std::string("`chunks` and `offset_limit` of a FaultInjection must be 1 or more"); });
  expect(injection.rate >= 0 && injection.rate <= 1, [&] {
    return "the rate of a fault is " + detail::printed_number(injection.rate) + "; it is a part of all calls, 0 to 1";
  });
  if (injection.rate == 0) injection.rate = injection.fault == "intermittent_bit_flip" ? 1e-4 : 1;
  fault = named;
  how = std::move(injection);
  last = {};
  calls = hits = altered = 0;
  crashed = false;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCollective::run(std::span<const CollectiveCall> calls, Deadline deadline,
                                                              bool grouped) {
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
  if (state.is("order_inversion"))
    return state.guilty() ? ++state.altered, invert(calls, deadline) : pass_on(calls, deadline, grouped);
  return alter(calls, hit, deadline, grouped);
}

ASSAY_DETAIL_HEADER_INLINE bool FaultyCollective::is_hit(const CollectiveCall& call, std::uint64_t number) const {
  const State& state = *state_;
  if (!state.fault || number < state.how.first_call || !state.fault->fits(call.operation, call.reduction, call.type) ||
      !check_call(call, rank(), size()))
    return false;
  return state.how.rate == 1 ||
         static_cast<double>(detail::mixed(state.how.seed, number, 0) >> 11) < state.how.rate * 0x1p53;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCollective::alter(std::span<const CollectiveCall> calls,
                                                                const std::vector<bool>& hit, Deadline deadline,
                                                                bool grouped) {
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

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCollective::misbehave(std::span<const CollectiveCall> calls,
                                                                    Deadline deadline, bool grouped) {
  State& state = *state_;
  if (state.is("rank_crash")) return crash();
  if (state.is("rank_hang")) return hang(deadline);
  if (state.is("early_barrier_exit") && !grouped) {
    state.left = std::async(std::launch::async, [&right = state.right, call = calls.front(), deadline] {
      return right.run(call, deadline);
    });
    return {};
  }
  const int next = (state.how.rank + 1) % state.right.size();
  const bool on_link =
      std::any_of(calls.begin(), calls.end(), [&](const CollectiveCall& call) { return call.destination == next; });
  if (state.is("slow_rank") || on_link) std::this_thread::sleep_for(state.how.delay);
  return pass_on(calls, deadline, grouped);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCollective::hang(Deadline deadline) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  const bool aborted = state.woken.wait_until(lock, deadline, [&] { return state.aborted; });
  return failure(aborted ? ErrorKind::aborted : ErrorKind::timed_out,
                 "rank " + std::to_string(rank()) + " hung, by the fault that it was given");
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCollective::invert(std::span<const CollectiveCall> calls,
                                                                 Deadline deadline) {
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

}  // namespace assay::inline v0
