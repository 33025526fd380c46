#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
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
/// All operations are there, in place and out of place, with buffers of any alignment. Before a collective call begins
/// the ranks compare what they are about to do: calls that contradict themselves or each other are `invalid` on every
/// rank, with the ranks and the field, and the communicator is as before. A rank that does not come, or ends, breaks
/// the communicator on all ranks, `timed_out` or `aborted`; later calls are `aborted`. send_receive is called by the
/// ranks that it concerns alone; the k-th message from a rank to another is received by the k-th receive.
class InProcessCollective {
 public:
  static constexpr bool checks_calls = true;  // so that all ranks learn of a bad call

  /// `InProcessWorld` makes these.
  InProcessCollective(std::shared_ptr<detail::Communicator> communicator, int rank)
      : communicator_(std::move(communicator)), rank_(rank) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return communicator_->size(); }
  /// "in_process.ring"
  [[nodiscard]] std::string name() const {
    return "in_process." + std::string(name_of(communicator_->options().algorithm));
  }
  /// Of this communicator, on all its ranks.
  void abort(std::string_view reason) {
    communicator_->break_with(
        {ErrorKind::aborted, "rank " + std::to_string(rank_) + " aborted: " + std::string(reason)});
  }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return run_group({&call, 1}, deadline);
  }

  /// Several calls as one. The collective ones are the same, in the same order, on every rank; each rank has the
  /// send_receives that concern it, wherever it likes: all that is sent is sent before anything is received.
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline);

  /// A communicator of the ranks that give the same color, in the order of their ranks. Errors: `timed_out` after the
  /// option `split_timeout`, `invalid` where other ranks make other calls, `aborted`.
  [[nodiscard]] Result<InProcessCollective> split(int color);

 private:
  [[nodiscard]] Failure no_more() const {
    const Error error = communicator_->error();
    return failure(ErrorKind::aborted, "the communicator is of no more use: " + error.message);
  }

  [[nodiscard]] static bool is_collective(const CollectiveCall& call) {
    return call.operation != CollectiveOperation::send_receive;
  }

  [[nodiscard]] Result<void> run_calls(std::span<const CollectiveCall> calls, Deadline deadline);

  [[nodiscard]] InProcessPlace place_of(std::span<const CollectiveCall> calls, const detail::Seat& seat) const;

  [[nodiscard]] Result<void> send_all(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline);

  [[nodiscard]] Result<void> receive_all(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline);

  [[nodiscard]] Result<void> hang(Deadline deadline) {
    constexpr auto grace = std::chrono::seconds(1);  // so that the others find it missing, not ended
    communicator_->wait_for_end(rank_, deadline < Deadline::max() - grace ? deadline + grace : deadline);
    if (communicator_->is_broken()) return failure(communicator_->error().kind, communicator_->error().message);
    return failure(ErrorKind::timed_out, "rank " + std::to_string(rank_) + " hung until its deadline");
  }

  [[nodiscard]] Result<void> crash();

  [[nodiscard]] Result<void> leave(std::span<const CollectiveCall> calls, detail::Seat& seat, Deadline deadline);

  std::shared_ptr<detail::Communicator> communicator_;
  int rank_;
};

namespace detail {

/// Tells all communicators of the world that a rank has ended. `why` may be empty.
void end_rank(WorldState& world, int world_rank, std::string why);

}  // namespace detail

inline Result<void> InProcessCollective::crash() {
  detail::end_rank(communicator_->world(), communicator_->world_rank(rank_), "it crashed");
  const Error broken =
      communicator_->break_with({ErrorKind::aborted, "rank " + std::to_string(rank_) + " has ended: it crashed"});
  return failure(broken.kind, broken.message);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/in_process_collective.ipp"
#endif
