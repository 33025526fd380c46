#pragma once

#include "assay/collectives/in_process/in_process_coordinator.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::optional<std::string>>> InProcessCoordinator::exchange(
    std::string mine, Deadline deadline) {
  const auto ranks = static_cast<std::size_t>(board_->size);
  std::unique_lock lock(board_->mutex);
  const std::uint64_t number = next_++;
  auto& round = board_->rounds[number];
  round.texts.resize(ranks);
  if (!round.closed) {
    round.texts[static_cast<std::size_t>(rank_)] = std::move(mine);
    if (++round.come == ranks) close(round);
  }
  while (!round.closed)
    if (board_->changed.wait_until(lock, deadline) == std::cv_status::timeout && !round.closed) close(round);
  auto texts = round.texts;
  if (++round.read == ranks) board_->rounds.erase(number);
  return texts;
}

}  // namespace assay::inline v0
