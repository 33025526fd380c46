#pragma once

#include "assay/collectives/faults/detail/slowness_trial.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<FaultFinding> try_slowness(AnyCollective right, Coordinator& coordinator,
                                                             const FaultTrial& trial, const TrialOptions& options) {
  const int guilty = trial.injection.rank, next = (guilty + 1) % right.size();
  const bool links = trial.injection.fault == "slow_link";
  StragglerReport report;
  if (links) {
    AnyCollective faulty(FaultyCollective(std::move(right), trial.injection));
    auto matrix = measure_links(faulty, coordinator, deadline_after(options.agreement), options.links);
    if (!matrix) return matrix.propagate();
    report = find_slow_links(matrix.value().bandwidth, {options.least_slowdown, {}});
  } else {
    auto check = RankCheck::make(right, trial.problem, 1);
    if (!check) return check.propagate();
    const auto recorder = std::make_shared<FlightRecorder>(coordinator.rank(), coordinator.size());
    auto recorded = RecordedCollective::make(std::move(right), recorder);
    if (!recorded) return recorded.propagate();
    FaultyCollective faulty(std::move(recorded).value(), trial.injection);
    if (auto prepared = check.value().prepare(0, 0); !prepared) return prepared.propagate();
    for (int i = 0; i < options.iterations; ++i)
      if (auto done = launch(faulty, check.value().call(0), deadline_after(options.agreement)); !done)
        return done.propagate();
    auto flights = exchange_flights(coordinator, recorder->flight(), deadline_after(options.agreement));
    if (!flights) return flights.propagate();
    report = find_slow_ranks(rank_times_of(flights.value().flights), {options.least_slowdown});
  }
  FaultFinding finding;
  finding.caught = report.verdict == Verdict::fail;
  finding.said = report.reason;
  const auto of_pair = [&](const SlowLink& link) {
    return std::minmax(link.from, link.to) == std::minmax(guilty, next);
  };
  const bool only_rank = report.links.empty() && report.ranks.size() == 1 && report.ranks.front().rank == guilty;
  const bool only_pair =
      report.ranks.empty() && !report.links.empty() && std::all_of(report.links.begin(), report.links.end(), of_pair);
  finding.named = finding.guilty_told = finding.caught && (links ? only_pair : only_rank);
  finding.guilty_wrong = finding.caught && !finding.named;
  return finding;
}

}  // namespace assay::inline v0::detail
