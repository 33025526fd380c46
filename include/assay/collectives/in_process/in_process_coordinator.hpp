#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"

namespace assay::inline v0 {

namespace detail {

/// The rounds of exchange that some rank has still to read.
struct ExchangeBoard {
  struct Round {
    std::vector<std::optional<std::string>> texts;
    std::size_t come = 0;
    std::size_t read = 0;
    bool closed = false;
  };

  explicit ExchangeBoard(int ranks) : size(ranks) {}

  const int size;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::uint64_t, Round> rounds;
};

}  // namespace detail

/// A `Coordinator` between threads of one process. A round closes when all have come, or when the first deadline of
/// those that have passes: then all ranks get the same answer, and one who comes later finds itself among the absent.
class InProcessCoordinator final : public Coordinator {
 public:
  /// `in_process_coordinators` makes these.
  InProcessCoordinator(std::shared_ptr<detail::ExchangeBoard> board, int rank)
      : board_(std::move(board)), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return board_->size; }

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> exchange(std::string mine, Deadline deadline) override;

 private:
  void close(detail::ExchangeBoard::Round& round) {
    round.closed = true;
    board_->changed.notify_all();
  }

  std::shared_ptr<detail::ExchangeBoard> board_;
  int rank_;
  std::uint64_t next_ = 0;
};

/// One coordinator for each of `size` ranks; all of them are of one group.
[[nodiscard]] inline std::vector<InProcessCoordinator> in_process_coordinators(int size) {
  const auto board = std::make_shared<detail::ExchangeBoard>(size);
  std::vector<InProcessCoordinator> coordinators;
  for (int rank = 0; rank < size; ++rank) coordinators.emplace_back(board, rank);
  return coordinators;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/in_process_coordinator.ipp"
#endif
