#pragma once

#include "assay/collectives/faults/detail/hang_trial.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE FaultFinding finding_of(const FaultTrial& trial, const HangReport& report) {
  const std::string& fault = trial.injection.fault;
  FaultFinding finding;
  finding.caught = report.hangs();
  finding.said = report.sentence;
  if (fault == "rank_hang") finding.named = report.cause == HangCause::never_entered;
  if (fault == "rank_crash") finding.named = report.cause == HangCause::failed || report.cause == HangCause::rank_died;
  const std::string field = fault == "count_mismatch"    ? "count:"
                            : fault == "type_mismatch"   ? "type:"
                            : fault == "order_inversion" ? "operation:"
                                                         : "";
  if (!field.empty())
    finding.named = report.cause == HangCause::mismatched_calls && report.sentence.find(field) != std::string::npos;
  finding.guilty_told = report.culprits == std::vector<int>{trial.injection.rank};
  // Of a message with unequal ends only the pair is known.
  finding.guilty_wrong = !report.culprits.empty() && std::find(report.culprits.begin(), report.culprits.end(),
                                                               trial.injection.rank) == report.culprits.end();
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE Result<FaultFinding> try_hang(AnyCollective right, Coordinator& coordinator,
                                                         FaultTrial trial, const TrialOptions& options) {
  auto made = RankCheck::make(right, trial.problem, 2);
  if (!made) return made.propagate();
  const auto check = std::make_shared<RankCheck>(std::move(made).value());
  if (options.keep) options.keep(check);
  trial.injection.first_call = 1;
  const auto recorder = std::make_shared<FlightRecorder>(coordinator.rank(), coordinator.size());
  // A hang is a rank that does not come; a crash is one that comes and fails; wrong calls are those that reach the
  // runtime.
  const bool outside = trial.injection.fault == "rank_crash";
  if (outside) right = AnyCollective(FaultyCollective(std::move(right), trial.injection));
  auto recorded = RecordedCollective::make(std::move(right), recorder);
  if (!recorded) return recorded.propagate();
  AnyCollective faulty(std::move(recorded).value());
  if (!outside) faulty = AnyCollective(FaultyCollective(std::move(faulty), trial.injection));
  for (std::size_t call = 0; call < 2; ++call) {
    if (auto prepared = check->prepare(call, call); !prepared) return prepared.propagate();
    if (!faulty.run(check->call(call), deadline_after(options.patience))) break;
  }
  if (const auto fault = collective_fault_named(trial.injection.fault);
      fault && fault->symptom == FaultSymptom::absence) {
    CollectiveCall barrier;
    barrier.operation = CollectiveOperation::barrier;
    static_cast<void>(faulty.run(barrier, deadline_after(options.patience)));
  }
  auto flights =
      exchange_flights(coordinator, recorder->flight(), deadline_after(2 * options.patience + options.agreement));
  if (!flights) return flights.propagate();
  return finding_of(trial,
                    hang_report(std::move(flights.value().flights), flight_time_now(), flights.value().problems));
}

}  // namespace assay::inline v0::detail
