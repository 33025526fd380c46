#pragma once

#include "assay/collectives/preflight/detail/work_times.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// A fixed piece of work for a processor of the host, somewhat below a millisecond.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::uint64_t piece_of_work() {
  std::uint64_t state = 88172645463325252u;
  for (int step = 0; step < 250'000; ++step) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  return state;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankTimes> work_times(AnyCollective& collective, Coordinator& coordinator,
                                                        std::chrono::milliseconds deadline) {
  const auto ranks = static_cast<std::size_t>(collective.size());
  const std::size_t iterations = samples_for_bounds(0.01 / static_cast<double>(ranks)) * 3 / 2;
  std::string mine;
  Result<void> state;
  volatile std::uint64_t kept = 0;
  for (std::size_t i = 0; i < iterations && state; ++i) {
    CollectiveCall barrier;
    barrier.operation = CollectiveOperation::barrier;
    state = collective.run(barrier, deadline_after(deadline));
    const auto start = std::chrono::steady_clock::now();
    kept = kept + piece_of_work();
    mine += printed_number(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 9) + " ";
  }
  if (!state) mine = "!" + std::to_string(static_cast<int>(state.error().kind)) + " " + state.error().message;
  auto texts = coordinator.exchange(mine, deadline_after(deadline));
  if (!texts) return texts.propagate();
  RankTimes times(ranks, std::vector<double>(iterations, std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto& text = texts.value()[rank];
    if (!text) return failure(ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not come from its work");
    if (text->rfind("!", 0) == 0) {
      const auto kind = std::clamp(std::atoi(text->c_str() + 1), 0, static_cast<int>(ErrorKind::aborted));
      return failure(static_cast<ErrorKind>(kind),
                     "rank " + std::to_string(rank) + ": " + text->substr(std::min(text->find(' ') + 1, text->size())));
    }
    std::size_t at = 0;
    for (double& time : times[rank]) {
      const std::size_t end = std::min(text->find(' ', at), text->size());
      if (const auto value = read_number(std::string_view(*text).substr(at, end - at))) time = *value;
      at = std::min(end + 1, text->size());
    }
  }
  return times;
}

}  // namespace assay::inline v0::detail
