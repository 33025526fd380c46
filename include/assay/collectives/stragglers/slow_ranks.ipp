#pragma once

#include "assay/collectives/stragglers/slow_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RankTimes rank_times_of(std::span<const RankFlight> flights,
                                                   const std::string& communicator) {
  std::map<std::uint64_t, std::map<int, std::pair<double, double>>>
      iterations;  // sequence → rank → own work, stay in the operation
  int ranks = 0;
  for (const RankFlight& flight : flights) {
    const FlightRecord* before = nullptr;
    for (const FlightRecord& record : flight.records) {
      if (record.communicator != communicator || record.point_to_point() || record.state != FlightState::completed ||
          record.rank < 0 || record.rank >= record.size)
        continue;
      ranks = std::max(ranks, record.rank + 1);
      if (before != nullptr && before->sequence + 1 == record.sequence)
        iterations[record.sequence][record.rank] = {static_cast<double>(record.entered_at - before->ended_at) / 1e9,
                                                    static_cast<double>(record.ended_at - record.entered_at) / 1e9};
      before = &record;
    }
  }
  RankTimes times(static_cast<std::size_t>(ranks));
  for (const auto& [sequence, own] : iterations) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto& [rank, seconds] : own) shortest = std::min(shortest, seconds.second);
    for (std::size_t rank = 0; rank < times.size(); ++rank) {
      const auto found = own.find(static_cast<int>(rank));
      times[rank].push_back(found == own.end() ? std::numeric_limits<double>::quiet_NaN()
                                               : found->second.first + shortest);
    }
  }
  return times;
}

ASSAY_DETAIL_HEADER_INLINE StragglerReport find_slow_ranks(const RankTimes& times, const StragglerOptions& options) {
  expect(options.least_slowdown >= 1 && options.error > 0 && options.error < 1,
         [] { return "stragglers are looked for with a least slowdown of 1 or more, and an error between 0 and 1"; });
  const std::size_t ranks = times.size(), iterations = ranks == 0 ? 0 : times.front().size();
  for (const auto& row : times)
    expect(row.size() == iterations,
           [] { return "the times of ranks have different numbers of iterations; give NaN for what is not known"; });
  StragglerReport report;
  report.slowdowns.assign(ranks, std::numeric_limits<double>::quiet_NaN());
  if (ranks < 2) {
    report.reason = "there is nobody to compare " + std::string(ranks == 0 ? "anybody" : "the only rank") + " with";
    return report;
  }
  std::vector<std::vector<double>> ratios(ranks);
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t t = 0; t < iterations; ++t) {
    sorted.clear();
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (const double time = times[rank][t]; std::isfinite(time) && time > 0) sorted.emplace_back(time, rank);
    if (sorted.size() < 2) continue;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t others = sorted.size() - 1;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto of_others = [&](std::size_t place) { return sorted[place < i ? place : place + 1].first; };
      const double median = (of_others((others - 1) / 2) + of_others(others / 2)) / 2;
      ratios[sorted[i].second].push_back(sorted[i].first / median);
    }
  }
  const double error = options.error / static_cast<double>(ranks);
  const std::size_t needed = detail::samples_for_bounds(error);
  std::vector<int> unjudged;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const detail::MedianBounds bounds = detail::median_bounds(ratios[rank], error);
    report.slowdowns[rank] = bounds.median;
    if (ratios[rank].size() < needed)
      unjudged.push_back(static_cast<int>(rank));
    else if (bounds.lower > options.least_slowdown)
      report.ranks.push_back({static_cast<int>(rank), bounds.median, bounds.lower, "working"});
  }
  std::sort(report.ranks.begin(), report.ranks.end(), detail::slower_rank);
  if (!report.ranks.empty()) {
    report.verdict = Verdict::fail;
    report.reason = detail::stragglers_text(report);
  } else if (!unjudged.empty()) {
    report.reason = "too few iterations of " + detail::rank_list(unjudged) +
                    " to tell: " + std::to_string(ratios[static_cast<std::size_t>(unjudged.front())].size()) +
                    ", and " + std::to_string(needed) + " are needed";
  } else {
    report.verdict = Verdict::pass;
    report.reason = "none of " + std::to_string(ranks) + " ranks is shown to be more than " +
                    detail::times_text(options.least_slowdown) + " as slow as the others in working, over " +
                    std::to_string(iterations) + " iterations";
  }
  return report;
}

}  // namespace assay::inline v0
