#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/deadline.hpp"
#include "assay/collectives/in_process/detail/message.hpp"
#include "assay/collectives/in_process/detail/world_state.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Where one rank receives messages. What stands under the second line only its own thread touches.
struct Seat {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<MessageTag, RankMessage> inbox;
  std::optional<MessageTag> awaited;

  std::vector<MessageBytes> spare;
  std::uint64_t collectives = 0;                ///< calls so far, without point-to-point
  std::map<int, std::uint64_t> sent, received;  ///< point-to-point messages, by the other rank
  std::vector<std::chrono::steady_clock::time_point> link_free;
};

/// What a rank brings to a meeting: the calls that it is about to make, or the color by which it splits.
struct Arrival {
  std::span<const CollectiveCall> calls;
  std::vector<CollectiveCall> kept;  ///< the calls of one who does not stay
  std::optional<int> color;
  std::string refusal;  ///< why its calls cannot be made; empty if they can
  bool present = false;
};

/// Where the ranks meet before they begin a call, to see that all mean the same.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t round = 0;
  int present = 0;
  std::vector<Arrival> arrivals;
  std::optional<Error> refusal;                                                     ///< of the last round
  std::map<int, std::pair<std::shared_ptr<Communicator>, std::vector<int>>> parts;  ///< of the last round, by color
};

/// What the ranks of a communicator share: seats, and whether it is broken. A communicator breaks once, with the error
/// that all operations in progress then give.
class Communicator {
 public:
  Communicator(std::shared_ptr<WorldState> world, std::vector<int> world_ranks)
      : world_(std::move(world)), world_ranks_(std::move(world_ranks)), seats_(world_ranks_.size()) {
    meeting.arrivals.resize(world_ranks_.size());
  }

  [[nodiscard]] int size() const { return static_cast<int>(world_ranks_.size()); }
  [[nodiscard]] int id() const { return id_; }
  void set_id(int id) { id_ = id; }
  [[nodiscard]] int world_rank(int rank) const { return world_ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const InProcessOptions& options() const { return world_->options; }
  [[nodiscard]] WorldState& world() { return *world_; }
  [[nodiscard]] const std::shared_ptr<WorldState>& shared_world() const { return world_; }
  [[nodiscard]] Seat& seat(int rank) { return seats_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool any_ended() const { return world_->any_ended; }
  [[nodiscard]] bool is_broken() const { return broken_.load(); }
  [[nodiscard]] Error error() const {
    const std::lock_guard lock(error_mutex_);
    return *error_;
  }

  /// The first to break it says why. Wakes all ranks.
  Error break_with(Error error);

  void wake_all();

  void deliver(int to, const MessageTag& tag, RankMessage message) {
    Seat& receiver = seat(to);
    const std::lock_guard lock(receiver.mutex);
    receiver.inbox.insert_or_assign(tag, std::move(message));
    if (receiver.awaited == tag) receiver.changed.notify_one();
  }

  /// Waits for a message. Errors: that with which the communicator broke, or breaks now: the deadline, the end of the
  /// sender.
  [[nodiscard]] Result<RankMessage> take(int rank, const MessageTag& tag, Deadline deadline);

  /// Waits until the communicator is broken or the deadline passes.
  void wait_for_end(int rank, Deadline deadline) {
    Seat& mine = seat(rank);
    std::unique_lock lock(mine.mutex);
    while (!is_broken() && !has_passed(deadline)) mine.changed.wait_until(lock, deadline);
  }

  [[nodiscard]] std::optional<Error> end_of_sender(int rank) const {
    if (const auto end = world_->end_of(world_rank(rank)))
      return Error{ErrorKind::aborted,
                   "rank " + std::to_string(rank) + " has ended" + (end->empty() ? "" : ": " + *end)};
    return std::nullopt;
  }

  Meeting meeting;

 private:
  /// Who holds up the others: of all ranks that wait, the one that has come the least far waits for the one to blame.
  [[nodiscard]] std::string explain_wait(int rank);

  std::shared_ptr<WorldState> world_;
  std::vector<int> world_ranks_;
  std::deque<Seat> seats_;
  int id_ = 0;
  std::atomic<bool> broken_ = false;
  mutable std::mutex error_mutex_;
  std::optional<Error> error_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/communicator.ipp"
#endif
