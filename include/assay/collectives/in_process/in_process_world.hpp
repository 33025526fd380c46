#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "assay/collectives/detail/rank_list.hpp"
#include "assay/collectives/in_process/in_process_collective.hpp"
#include "assay/collectives/in_process/in_process_options.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// Ranks in one process. Each is driven by a thread of the user's, or all by `run_ranks`. Messages go through memory,
/// at its speed or at that of an emulated network; algorithms are those of `CollectiveAlgorithm`. Copies are the same
/// world.
class InProcessWorld {
 public:
  /// Misuse: a size below 1; no chunk bytes; less than one rank a node.
  explicit InProcessWorld(int size, InProcessOptions options = {}) {
    expect(size >= 1,
           [&] { return "a world of " + std::to_string(size) + " ranks was asked for; it has one at least"; });
    expect(options.chunk_bytes > 0, [] { return std::string("chunk_bytes is 0; messages have a byte at least"); });
    expect(options.ranks_per_node >= 1,
           [&] { return "ranks_per_node is " + std::to_string(options.ranks_per_node) + "; a node has one at least"; });
    state_ = std::make_shared<detail::WorldState>(size, std::move(options));
    communicator_ = std::make_shared<detail::Communicator>(state_, detail::ranks_from_0(size));
    communicator_->set_id(state_->add(communicator_));
  }

  /// Number of ranks.
  [[nodiscard]] int size() const { return state_->size; }
  /// What it was made with.
  [[nodiscard]] const InProcessOptions& options() const { return state_->options; }

  /// The end of a rank in the communicator of all ranks; every call gives the same end. Misuse: no such rank.
  [[nodiscard]] InProcessCollective collective(int rank) const {
    expect(rank >= 0 && rank < size(), [&] {
      return "rank " + std::to_string(rank) + " of a world of " + std::to_string(size()) + " was asked for";
    });
    return {communicator_, rank};
  }

  /// Breaks all communicators of the world: operations return `aborted`. From any thread.
  void abort(std::string_view reason) const {
    for (const auto& communicator : state_->living_communicators())
      communicator->break_with({ErrorKind::aborted, "the world was aborted: " + std::string(reason)});
  }

  /// Says that the thread of a rank has ended: those that wait for it get `aborted`. `run_ranks` does it.
  void end_rank(int rank, std::string why = {}) const { detail::end_rank(*state_, rank, std::move(why)); }
  /// Takes it back for all ranks: new threads are about to go on.
  void renew_ranks() const {
    const std::lock_guard lock(state_->mutex);
    for (auto& end : state_->ended) end.reset();
    state_->any_ended = false;
  }

 private:
  std::shared_ptr<detail::WorldState> state_;
  std::shared_ptr<detail::Communicator> communicator_;
};

}  // namespace assay::inline v0
