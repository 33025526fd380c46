#pragma once

#include "assay/collectives/faults/try_fault.hpp"

#include <algorithm>
#include <sstream>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE FaultFinding finding_of(const FaultTrial& trial, const Outcome& outcome) {
  FaultFinding finding;
  finding.caught = outcome.verdict == Verdict::fail;
  finding.said = outcome.reason;
  const std::vector<std::string> names = faults_that_look_like(trial);
  finding.named = finding.caught && std::find(names.begin(), names.end(), outcome.label("fault")) != names.end();
  if (const std::string guilty = outcome.label("guilty_rank"); finding.caught && !guilty.empty()) {
    finding.guilty_told = guilty == std::to_string(blamed_rank(trial));
    finding.guilty_wrong = !finding.guilty_told;
  }
  std::istringstream suspects(outcome.label("suspect_ranks"));
  for (std::string rank; std::getline(suspects >> std::ws, rank, ',');)
    finding.guilty_suspected = finding.guilty_suspected || rank == std::to_string(blamed_rank(trial));
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE Result<FaultFinding> try_fault(FaultyCollective& faulty, Coordinator& coordinator,
                                                          const FaultTrial& trial) {
  faulty.inject(trial.injection);
  AnyCollective any(faulty);
  const Outcome outcome = check_collective(any, coordinator, trial.problem, trial.options);
  if (outcome.verdict == Verdict::unsupported) return failure(ErrorKind::unsupported, outcome.reason);
  auto altered = coordinator.exchange(faulty.altered() > 0 ? "altered" : "",
                                      deadline_after(trial.options.timeout + std::chrono::seconds(10)));
  if (!altered) return altered.propagate();
  FaultFinding finding = finding_of(trial, outcome);
  finding.took_effect = std::any_of(altered.value().begin(), altered.value().end(),
                                    [](const auto& text) { return text && !text->empty(); });
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE Result<FaultFinding> try_fault(AnyCollective right, Coordinator& coordinator,
                                                          const FaultTrial& trial, const TrialOptions& options) {
  const auto fault = collective_fault_named(trial.injection.fault);
  if (fault && fault->symptom == FaultSymptom::time)
    return detail::try_slowness(std::move(right), coordinator, trial, options);
  if (fault && keeps_communicator(*fault)) {
    FaultyCollective faulty(std::move(right), {});
    return try_fault(faulty, coordinator, trial);
  }
  return detail::try_hang(std::move(right), coordinator, trial, options);
}

}  // namespace assay::inline v0
