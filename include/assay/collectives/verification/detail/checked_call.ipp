#pragma once

#include "assay/collectives/verification/detail/checked_call.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<RankFinding>> exchange_findings(Coordinator& coordinator,
                                                                              const RankFinding& mine,
                                                                              Deadline deadline) {
  auto texts = coordinator.exchange(to_text(mine), deadline);
  if (!texts) return texts.propagate();
  std::vector<RankFinding> all;
  for (std::size_t rank = 0; rank < texts.value().size(); ++rank) {
    RankFinding finding;
    finding.rank = static_cast<int>(rank);
    finding.call = mine.call;
    if (const auto& text = texts.value()[rank]; !text) {
      finding.error =
          Error{ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not say in time what it found"};
    } else if (auto read = rank_finding_from_text(*text); !read) {
      finding.error = read.error();
    } else {
      finding = std::move(read).value();
    }
    all.push_back(std::move(finding));
  }
  return all;
}

/// The longest that a meeting of ranks that are all there took any of them; the same on every rank.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::chrono::microseconds> longest_meeting(
    Coordinator& coordinator, std::chrono::steady_clock::duration timeout) {
  if (auto met = meet(coordinator, deadline_after(timeout)); !met) return met.propagate();
  const auto together = std::chrono::steady_clock::now();
  if (auto met = meet(coordinator, deadline_after(timeout)); !met) return met.propagate();
  const auto own = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - together);
  auto told = coordinator.exchange(std::to_string(own.count()), deadline_after(timeout));
  if (!told) return told.propagate();
  std::chrono::microseconds longest{0};
  for (std::size_t rank = 0; rank < told.value().size(); ++rank) {
    const auto& text = told.value()[rank];
    if (!text) return failure(ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not come in time");
    longest = std::max(longest, std::chrono::microseconds(std::strtoll(text->c_str(), nullptr, 10)));
  }
  return longest;
}

ASSAY_DETAIL_HEADER_INLINE RankFinding checked_barrier(AnyCollective& collective, Coordinator& coordinator,
                                                       std::uint64_t number, const CollectiveCheckOptions& options) {
  RankFinding finding;
  finding.rank = collective.rank();
  finding.call = number;
  const int late = static_cast<int>(number % static_cast<std::uint64_t>(collective.size()));
  const auto meeting = longest_meeting(coordinator, options.timeout);
  if (!meeting) {
    finding.error = meeting.error();
    return finding;
  }
  const auto delay = options.barrier_delay + 2 * meeting.value();
  const auto entered = std::chrono::steady_clock::now();
  Result<void> done = meet(coordinator, deadline_after(options.timeout));
  if (done) {
    if (collective.rank() == late) std::this_thread::sleep_for(delay);
    CollectiveCall call;
    call.operation = CollectiveOperation::barrier;
    assign(done, collective.run(call, deadline_after(options.timeout)));
  }
  const auto stayed = std::chrono::steady_clock::now() - entered;
  finding.elements = 1;
  if (!done) {
    finding.error = done.error();
  } else if (stayed < delay) {
    const auto milliseconds = [](auto duration) {
      return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
    };
    finding.suspicions.push_back({"early_barrier_exit", finding.rank, 0, 0, 1,
                                  "rank " + std::to_string(finding.rank) + " left the barrier after " +
                                      milliseconds(stayed) + " ms, before rank " + std::to_string(late) +
                                      ", which was " + milliseconds(delay) + " ms late, had come"});
  }
  return finding;
}

}  // namespace assay::inline v0::detail
