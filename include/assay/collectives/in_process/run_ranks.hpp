#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <optional>
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
  RankException(int rank, const std::string& what) : std::runtime_error("rank " + std::to_string(rank) + ": " + what), rank_(rank) {}
  /// The rank that threw.
  [[nodiscard]] int rank() const { return rank_; }

 private:
  int rank_;
};

/// Calls `body` with the end of each rank, in a thread a rank, and returns when all have returned. A rank that has returned or
/// thrown is known to the others as ended. Throws `RankException` for the first that threw; std::system_error if a thread
/// cannot be started (those that were are aborted first).
inline void run_ranks(const InProcessWorld& world, const std::function<void(InProcessCollective&)>& body) {
  world.renew_ranks();
  std::mutex mutex;
  std::optional<RankException> first;
  std::exception_ptr cause;
  const auto run_rank = [&](int rank) {
    std::string end;
    try {
      InProcessCollective collective = world.collective(rank);
      body(collective);
    } catch (...) {
      end = "its function threw";
      try {
        throw;
      } catch (const std::exception& thrown) {
        end += ": " + std::string(thrown.what());
      } catch (...) {
      }
      const std::lock_guard lock(mutex);
      if (!first) {
        first.emplace(rank, end);
        cause = std::current_exception();
      }
    }
    world.end_rank(rank, end);
  };
  {
    std::vector<detail::SmallThread> threads;
    threads.reserve(static_cast<std::size_t>(world.size()));
    try {
      for (int rank = 0; rank < world.size(); ++rank)
        threads.emplace_back(world.options().stack_bytes, [&run_rank, rank] { run_rank(rank); });
    } catch (const std::exception& thrown) {
      world.abort(thrown.what());
      throw;
    }
  }
  if (!first) return;
  try {
    std::rethrow_exception(cause);
  } catch (...) {
    std::throw_with_nested(*first);
  }
}

}  // namespace assay::inline v0
