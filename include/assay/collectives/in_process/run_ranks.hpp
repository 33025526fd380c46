#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/collectives/in_process/detail/small_thread.hpp"
#include "assay/collectives/in_process/in_process_world.hpp"

namespace assay::inline v0 {

/// What a rank's function threw, with the number of the rank in front; the exception itself is nested.
class RankException : public std::runtime_error {
 public:
  /// `what`: the message of what the rank threw.
  RankException(int rank, const std::string& what)
      : std::runtime_error("rank " + std::to_string(rank) + ": " + what), rank_(rank) {}
  /// The rank that threw.
  [[nodiscard]] int rank() const { return rank_; }

 private:
  int rank_;
};

/// Calls `body` with the end of each rank, in a thread a rank, and returns when all have returned. A rank that has
/// returned or thrown is known to the others as ended. Throws `RankException` for the first that threw;
/// std::system_error if a thread cannot be started (those that were are aborted first).
void run_ranks(const InProcessWorld& world, const std::function<void(InProcessCollective&)>& body);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/run_ranks.ipp"
#endif
