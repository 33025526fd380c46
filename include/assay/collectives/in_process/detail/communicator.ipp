#pragma once

#include "assay/collectives/in_process/detail/communicator.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Error Communicator::break_with(Error error) {
  {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::move(error);
    broken_ = true;
  }
  wake_all();
  return this->error();
}

ASSAY_DETAIL_HEADER_INLINE void Communicator::wake_all() {
  for (Seat& seat : seats_) {
    const std::lock_guard lock(seat.mutex);
    seat.changed.notify_all();
  }
  const std::lock_guard lock(meeting.mutex);
  meeting.changed.notify_all();
}

ASSAY_DETAIL_HEADER_INLINE Result<RankMessage> Communicator::take(int rank, const MessageTag& tag, Deadline deadline) {
  Seat& mine = seat(rank);
  std::unique_lock lock(mine.mutex);
  mine.awaited = tag;
  for (;;) {
    const auto found = mine.inbox.find(tag);
    if (found != mine.inbox.end()) {
      const auto ready_at = found->second.ready_at;
      if (ready_at == decltype(ready_at){} || has_passed(ready_at)) {
        RankMessage message = std::move(found->second);
        mine.inbox.erase(found);
        mine.awaited.reset();
        return message;
      }
    }
    if (is_broken()) {
      mine.awaited.reset();
      return failure(error().kind, error().message);
    }
    std::optional<Error> reason;
    if (found == mine.inbox.end()) reason = end_of_sender(tag.from);
    if (!reason && has_passed(deadline)) {
      lock.unlock();
      reason = Error{ErrorKind::timed_out, explain_wait(rank)};
      lock.lock();
    }
    if (reason) {
      mine.awaited.reset();
      lock.unlock();
      const Error broken = break_with(*std::move(reason));
      return failure(broken.kind, broken.message);
    }
    mine.changed.wait_until(lock, found == mine.inbox.end() ? deadline : std::min(deadline, found->second.ready_at));
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string Communicator::explain_wait(int rank) {
  std::optional<MessageTag> least;
  int who = rank;
  for (int other = 0; other < size(); ++other) {
    Seat& theirs = seat(other);
    const std::lock_guard lock(theirs.mutex);
    if (!theirs.awaited || theirs.inbox.contains(*theirs.awaited)) continue;
    if (least && theirs.awaited->progress() >= least->progress()) continue;
    least = theirs.awaited;
    who = other;
  }
  if (!least) return "rank " + std::to_string(rank) + " ran out of time";
  return "the deadline passed: rank " + std::to_string(who) + " waits for " +
         (least->point_to_point ? "message " : "call ") + std::to_string(least->call) + " of rank " +
         std::to_string(least->from) +
         (least->point_to_point ? std::string(" to it")
                                : ", " + std::string(name_of(least->phase)) + " step " + std::to_string(least->step) +
                                      ", chunk " + std::to_string(least->chunk)) +
         "; rank " + std::to_string(least->from) + " has not sent it";
}

}  // namespace assay::inline v0::detail
