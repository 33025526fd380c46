#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/in_process/in_process_options.hpp"

namespace assay::inline v0::detail {

class Communicator;

/// What all communicators of a world share: its options, which ranks have ended, and the communicators themselves.
struct WorldState {
  WorldState(int ranks, InProcessOptions how)
      : size(ranks), options(std::move(how)), ended(static_cast<std::size_t>(ranks)) {}

  [[nodiscard]] std::optional<std::string> end_of(int rank) const {
    if (!any_ended) return std::nullopt;
    const std::lock_guard lock(mutex);
    return ended[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::vector<std::shared_ptr<Communicator>> living_communicators() const {
    const std::lock_guard lock(mutex);
    std::vector<std::shared_ptr<Communicator>> living;
    for (const auto& communicator : communicators)
      if (auto alive = communicator.lock()) living.push_back(std::move(alive));
    return living;
  }
  /// Returns the number of the new communicator.
  int add(const std::shared_ptr<Communicator>& communicator) {
    const std::lock_guard lock(mutex);
    std::erase_if(communicators, [](const auto& known) { return known.expired(); });
    communicators.push_back(communicator);
    return next_id++;
  }

  const int size;
  const InProcessOptions options;
  std::atomic<bool> any_ended = false;
  mutable std::mutex mutex;
  std::vector<std::optional<std::string>> ended;  ///< why, of the ranks that have
  std::vector<std::weak_ptr<Communicator>> communicators;
  int next_id = 0;
};

}  // namespace assay::inline v0::detail
