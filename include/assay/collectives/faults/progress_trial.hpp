#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/fault_trial.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/flight/flight_exchange.hpp"
#include "assay/collectives/flight/hang_report.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"

namespace assay {

/// What the records of all ranks tell after a call in which a rank did not come, or came with another call.
struct ProgressFinding {
  FaultFinding finding;
  HangReport report;
  std::shared_ptr<RankCheck> buffers;  ///< runtimes that cannot withdraw an operation may still use them
};

/// What a hang report says of the trial's fault.
[[nodiscard]] inline FaultFinding finding_of(const FaultTrial& trial, const HangReport& report) {
  const std::string& fault = trial.injection.fault;
  FaultFinding finding;
  finding.caught = report.hangs();
  finding.said = report.sentence;
  if (fault == "rank_hang") finding.named = report.cause == HangCause::never_entered;
  if (fault == "rank_crash") finding.named = report.cause == HangCause::failed || report.cause == HangCause::rank_died;
  const std::string field = fault == "count_mismatch" ? "count:" : fault == "type_mismatch" ? "type:" : fault == "order_inversion" ? "operation:" : "";
  if (!field.empty()) finding.named = report.cause == HangCause::mismatched_calls && report.sentence.find(field) != std::string::npos;
  finding.guilty_told = report.culprits == std::vector<int>{trial.injection.rank};
  // Of a message with unequal ends only the pair is known.
  finding.guilty_wrong = !report.culprits.empty() && std::find(report.culprits.begin(), report.culprits.end(), trial.injection.rank) == report.culprits.end();
  return finding;
}

/// Makes one right call and one with the trial's fault, and a barrier where a rank is absent, since not every operation makes the
/// others wait; records them, and asks the records who kept whom waiting. Every rank
/// calls it with its end of a communicator, which is of no more use afterwards, and gets the same report.
/// Errors: those of the runtime's memory and of the coordinator.
[[nodiscard]] inline Result<ProgressFinding> try_progress_fault(AnyCollective right, Coordinator& coordinator, FaultTrial trial, std::chrono::milliseconds patience = std::chrono::milliseconds(500)) {
  ProgressFinding found;
  auto check = RankCheck::make(right, trial.problem, 2);
  if (!check) return check.propagate();
  found.buffers = std::make_shared<RankCheck>(std::move(check).value());
  trial.injection.first_call = 1;
  const auto recorder = std::make_shared<FlightRecorder>(coordinator.rank(), coordinator.size());
  // A hang is a rank that does not come; a crash is one that comes and fails; wrong calls are those that reach the runtime.
  const bool inside = trial.injection.fault == "rank_crash";
  if (inside) right = AnyCollective(FaultyCollective(std::move(right), trial.injection));
  auto recorded = RecordedCollective::make(std::move(right), recorder);
  if (!recorded) return recorded.propagate();
  AnyCollective faulty(std::move(recorded).value());
  if (!inside) faulty = AnyCollective(FaultyCollective(std::move(faulty), trial.injection));
  for (std::size_t call = 0; call < 2; ++call) {
    if (auto prepared = found.buffers->prepare(call, call); !prepared) return prepared.propagate();
    if (!faulty.run(found.buffers->call(call), deadline_after(patience))) break;
  }
  if (const auto fault = collective_fault_named(trial.injection.fault); fault && fault->symptom == FaultSymptom::absence) {
    CollectiveCall barrier;
    barrier.operation = CollectiveOperation::barrier;
    static_cast<void>(faulty.run(barrier, deadline_after(patience)));
  }
  auto flights = exchange_flights(coordinator, recorder->flight(), deadline_after(2 * patience + std::chrono::seconds(5)));
  if (!flights) return flights.propagate();
  found.report = hang_report(std::move(flights.value().flights), detail::nanoseconds_since_1970(), flights.value().problems);
  found.finding = finding_of(trial, found.report);
  return found;
}

/// Trials of a fault of the symptoms mismatch and absence, one an operation.
[[nodiscard]] inline std::vector<FaultTrial> progress_trials(const CollectiveFault& fault, int size, std::uint64_t seed = 1) {
  std::vector<FaultTrial> trials;
  if (fault.symptom != FaultSymptom::mismatch && fault.symptom != FaultSymptom::absence) return trials;
  for (const CollectiveOperation operation : all_collective_operations) {
    if (!fault.fits(operation) || fault.name == "early_barrier_exit") continue;
    FaultTrial trial;
    trial.injection.fault = fault.name;
    trial.injection.rank = static_cast<int>(trials.size() + seed) % size;
    trial.problem.operation = operation;
    trial.problem.count = 64;
    trial.problem.root = static_cast<int>(trials.size() + seed + 1) % size;
    trials.push_back(trial);
  }
  return trials;
}

}  // namespace assay
