#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/buffer_overlap.hpp"
#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/deadline.hpp"
#include "assay/collectives/in_process/detail/agreement.hpp"
#include "assay/collectives/in_process/detail/operations.hpp"

namespace assay::inline v0 {

/// One rank's end of a communicator whose ranks are threads of this process. A `Collective`.
///
/// All operations are there, in place and out of place, with buffers of any alignment. Before a collective call begins the
/// ranks compare what they are about to do: calls that contradict themselves or each other are `invalid` on every rank, with
/// the ranks and the field, and the communicator is as before. A rank that does not come, or ends, breaks the communicator on
/// all ranks, `timed_out` or `aborted`; later calls are `aborted`. send_receive is called by the ranks that it concerns alone;
/// the k-th message from a rank to another is received by the k-th receive.
class InProcessCollective {
 public:
  static constexpr bool checks_calls = true;  // so that all ranks learn of a bad call

  /// `InProcessWorld` makes these.
  InProcessCollective(std::shared_ptr<detail::Communicator> communicator, int rank) : communicator_(std::move(communicator)), rank_(rank) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return communicator_->size(); }
  /// "in_process.ring"
  [[nodiscard]] std::string name() const { return "in_process." + std::string(name_of(communicator_->options().algorithm)); }
  /// Of this communicator, on all its ranks.
  void abort(std::string_view reason) {
    communicator_->break_with({ErrorKind::aborted, "rank " + std::to_string(rank_) + " aborted: " + std::string(reason)});
  }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) { return run_group({&call, 1}, deadline); }

  /// Several calls as one. The collective ones are the same, in the same order, on every rank; each rank has the send_receives
  /// that concern it, wherever it likes: all that is sent is sent before anything is received.
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    try {
      return run_calls(calls, deadline);
    } catch (const std::bad_alloc&) {
      const Error broken = communicator_->break_with(
          {ErrorKind::out_of_memory, "rank " + std::to_string(rank_) + " has no memory for the messages of its call"});
      return failure(broken.kind, broken.message);
    }
  }

  /// A communicator of the ranks that give the same colour, in the order of their ranks. Errors: `timed_out` after the option
  /// `split_timeout`, `invalid` where other ranks make other calls, `aborted`.
  [[nodiscard]] Result<InProcessCollective> split(int colour) {
    if (communicator_->is_broken()) return no_more();
    detail::Arrival arrival;
    arrival.colour = colour;
    if (auto agreed =
            detail::agree(*communicator_, rank_, std::move(arrival), true, deadline_after(communicator_->options().split_timeout));
        !agreed)
      return agreed.propagate();
    const std::lock_guard lock(communicator_->meeting.mutex);
    const auto& [part, ranks] = communicator_->meeting.parts.at(colour);
    return InProcessCollective(part, static_cast<int>(std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin()));
  }

 private:
  [[nodiscard]] Failure no_more() const {
    const Error error = communicator_->error();
    return failure(ErrorKind::aborted, "the communicator is of no more use: " + error.message);
  }

  [[nodiscard]] static bool is_collective(const CollectiveCall& call) { return call.operation != CollectiveOperation::send_receive; }

  [[nodiscard]] Result<void> run_calls(std::span<const CollectiveCall> calls, Deadline deadline) {
    if (communicator_->is_broken()) return no_more();
    detail::Seat& seat = communicator_->seat(rank_);
    std::vector<CollectiveCall> collective_calls;  // of a group that has others as well
    std::span<const CollectiveCall> agreed_on = calls;
    if (const auto others =
            static_cast<std::size_t>(std::count_if(calls.begin(), calls.end(), [](const auto& call) { return !is_collective(call); }));
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
      if (auto checked = check_call_and_buffers(call, rank_, size()); !checked && refusal.empty()) refusal = checked.error().message;
    if (!refusal.empty() && (agreed_on.empty() || !communicator_->options().check_calls)) return failure(ErrorKind::invalid, refusal);
    if (!agreed_on.empty() && communicator_->options().check_calls) {
      detail::Arrival mine;
      mine.calls = agreed_on;
      mine.refusal = refusal;
      if (auto agreed = detail::agree(*communicator_, rank_, std::move(mine), fate != CallFate::leave_early, deadline); !agreed)
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

  [[nodiscard]] InProcessPlace place_of(std::span<const CollectiveCall> calls, const detail::Seat& seat) const {
    InProcessPlace place;
    place.communicator = communicator_->id();
    place.call = seat.collectives;
    if (!calls.empty()) {
      place.operation = calls.front().operation;
      place.type = calls.front().type;
    }
    return place;
  }

  [[nodiscard]] Result<void> send_all(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline) {
    for (const CollectiveCall& call : calls) {
      if (is_collective(call) || call.destination < 0) continue;
      detail::Endpoint endpoint(*communicator_, rank_, call, 0, deadline);
      const auto bytes = static_cast<std::size_t>(call.count) * endpoint.element_bytes();
      endpoint.send_point_to_point(call.destination, seat.sent[call.destination]++, {static_cast<const std::byte*>(call.send), bytes});
    }
    return {};
  }

  [[nodiscard]] Result<void> receive_all(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline) {
    for (const CollectiveCall& call : calls) {
      if (is_collective(call) || call.source < 0) continue;
      detail::Endpoint endpoint(*communicator_, rank_, call, 0, deadline);
      const auto bytes = static_cast<std::size_t>(call.count) * endpoint.element_bytes();
      endpoint.receive_point_to_point(call.source, seat.received[call.source]++, {static_cast<std::byte*>(call.receive), bytes});
      if (auto done = endpoint.result(); !done) return done;
    }
    return {};
  }

  [[nodiscard]] Result<void> hang(Deadline deadline) {
    constexpr auto grace = std::chrono::seconds(1);  // so that the others find it missing, not ended
    communicator_->wait_for_end(rank_, deadline < Deadline::max() - grace ? deadline + grace : deadline);
    if (communicator_->is_broken()) return failure(communicator_->error().kind, communicator_->error().message);
    return failure(ErrorKind::timed_out, "rank " + std::to_string(rank_) + " hung until its deadline");
  }

  [[nodiscard]] Result<void> crash();

  [[nodiscard]] Result<void> leave(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline) {
    for (const CollectiveCall& call : calls) {
      detail::Endpoint endpoint(*communicator_, rank_, call, seat.collectives++, deadline);
      if (call.operation == CollectiveOperation::barrier) detail::RankOperation(endpoint, call).announce_barrier();
    }
    return {};
  }

  std::shared_ptr<detail::Communicator> communicator_;
  int rank_;
};

namespace detail {

/// Tells all communicators of the world that a rank has ended. `why` may be empty.
inline void end_rank(WorldState& world, int world_rank, std::string why) {
  {
    const std::lock_guard lock(world.mutex);
    auto& end = world.ended[static_cast<std::size_t>(world_rank)];
    if (!end) end = std::move(why);
    world.any_ended = true;
  }
  for (const auto& communicator : world.living_communicators()) communicator->wake_all();
}

}  // namespace detail

inline Result<void> InProcessCollective::crash() {
  detail::end_rank(communicator_->world(), communicator_->world_rank(rank_), "it crashed");
  const Error broken = communicator_->break_with({ErrorKind::aborted, "rank " + std::to_string(rank_) + " has ended: it crashed"});
  return failure(broken.kind, broken.message);
}

}  // namespace assay::inline v0
