#pragma once

#include "assay/collectives/in_process/run_ranks.hpp"

#include <exception>
#include <mutex>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void run_ranks(const InProcessWorld& world,
                                          const std::function<void(InProcessCollective&)>& body) {
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
