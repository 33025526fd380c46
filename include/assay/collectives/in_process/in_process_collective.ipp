#pragma once

#include "assay/collectives/in_process/in_process_collective.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> InProcessCollective::run_group(std::span<const CollectiveCall> calls,
                                                                       Deadline deadline) {
  try {
    return run_calls(calls, deadline);
  } catch (const std::bad_alloc&) {
    const Error broken = communicator_->break_with(
        {ErrorKind::out_of_memory, "rank " + std::to_string(rank_) + " has no memory for the messages of its call"});
    return failure(broken.kind, broken.message);
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<InProcessCollective> InProcessCollective::split(int color) {
  if (communicator_->is_broken()) return no_more();
  detail::Arrival arrival;
  arrival.color = color;
  if (auto agreed = detail::agree(*communicator_, rank_, std::move(arrival), true,
                                  deadline_after(communicator_->options().split_timeout));
      !agreed)
    return agreed.propagate();
  const std::lock_guard lock(communicator_->meeting.mutex);
  const auto& [part, ranks] = communicator_->meeting.parts.at(color);
  return InProcessCollective(part, static_cast<int>(std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin()));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> InProcessCollective::run_calls(std::span<const CollectiveCall> calls,
                                                                       Deadline deadline) {
  if (communicator_->is_broken()) return no_more();
  detail::Seat& seat = communicator_->seat(rank_);
  std::vector<CollectiveCall> collective_calls;  // of a group that has others as well
  std::span<const CollectiveCall> agreed_on = calls;
  if (const auto others = static_cast<std::size_t>(
          std::count_if(calls.begin(), calls.end(), [](const auto& call) { return !is_collective(call); }));
      others == calls.size()) {
    agreed_on = {};
  } else if (others > 0) {
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(collective_calls), is_collective);
    agreed_on = collective_calls;
  }

  const InProcessArrival arrival{place_of(calls, seat), rank_, calls};
  CallFate fate = CallFate::proceed;
  if (communicator_->options().hooks.on_call) fate = communicator_->options().hooks.on_call(arrival);
  if (fate == CallFate::skip) return {};
  if (fate == CallFate::hang) return hang(deadline);
  if (fate == CallFate::crash) return crash();

  std::string refusal;
  for (const CollectiveCall& call : calls)
    if (auto checked = check_call_and_buffers(call, rank_, size()); !checked && refusal.empty())
      refusal = checked.error().message;
  if (!refusal.empty() && (agreed_on.empty() || !communicator_->options().check_calls))
    return failure(ErrorKind::invalid, refusal);
  if (!agreed_on.empty() && communicator_->options().check_calls) {
    detail::Arrival mine;
    mine.calls = agreed_on;
    mine.refusal = refusal;
    if (auto agreed = detail::agree(*communicator_, rank_, std::move(mine), fate != CallFate::leave_early, deadline);
        !agreed)
      return agreed;
  }
  if (fate == CallFate::leave_early) return leave(agreed_on, seat, deadline);

  if (auto sent = send_all(calls, seat, deadline); !sent) return sent;
  for (const CollectiveCall& call : agreed_on) {
    detail::Endpoint endpoint(*communicator_, rank_, call, seat.collectives++, deadline);
    detail::RankOperation(endpoint, call).run();
    if (auto done = endpoint.result(); !done) return done;
  }
  if (auto received = receive_all(calls, seat, deadline); !received) return received;
  if (communicator_->options().hooks.on_return) communicator_->options().hooks.on_return(arrival);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE InProcessPlace InProcessCollective::place_of(std::span<const CollectiveCall> calls,
                                                                        const detail::Seat& seat) const {
  InProcessPlace place;
  place.communicator = communicator_->id();
  place.call = seat.collectives;
  if (!calls.empty()) {
    place.operation = calls.front().operation;
    place.type = calls.front().type;
  }
  return place;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> InProcessCollective::send_all(std::span<const CollectiveCall> calls,
                                                                      detail::Seat& seat, Deadline deadline) {
  for (const CollectiveCall& call : calls) {
    if (is_collective(call) || call.destination < 0) continue;
    detail::Endpoint endpoint(*communicator_, rank_, call, 0, deadline);
    const auto bytes = static_cast<std::size_t>(call.count) * endpoint.element_bytes();
    endpoint.send_point_to_point(call.destination, seat.sent[call.destination]++,
                                 {static_cast<const std::byte*>(call.send), bytes});
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> InProcessCollective::receive_all(std::span<const CollectiveCall> calls,
                                                                         detail::Seat& seat, Deadline deadline) {
  for (const CollectiveCall& call : calls) {
    if (is_collective(call) || call.source < 0) continue;
    detail::Endpoint endpoint(*communicator_, rank_, call, 0, deadline);
    const auto bytes = static_cast<std::size_t>(call.count) * endpoint.element_bytes();
    endpoint.receive_point_to_point(call.source, seat.received[call.source]++,
                                    {static_cast<std::byte*>(call.receive), bytes});
    if (auto done = endpoint.result(); !done) return done;
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> InProcessCollective::leave(std::span<const CollectiveCall> calls,
                                                                   detail::Seat& seat, Deadline deadline) {
  for (const CollectiveCall& call : calls) {
    detail::Endpoint endpoint(*communicator_, rank_, call, seat.collectives++, deadline);
    if (call.operation == CollectiveOperation::barrier) detail::RankOperation(endpoint, call).announce_barrier();
  }
  return {};
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void end_rank(WorldState& world, int world_rank, std::string why) {
  {
    const std::lock_guard lock(world.mutex);
    auto& end = world.ended[static_cast<std::size_t>(world_rank)];
    if (!end) end = std::move(why);
    world.any_ended = true;
  }
  for (const auto& communicator : world.living_communicators()) communicator->wake_all();
}

}  // namespace detail

}  // namespace assay::inline v0
