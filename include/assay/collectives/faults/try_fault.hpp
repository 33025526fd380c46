#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/detail/hang_trial.hpp"
#include "assay/collectives/faults/detail/slowness_trial.hpp"
#include "assay/collectives/faults/fault_trial.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/verification/check_collective.hpp"

namespace assay::inline v0 {

/// What an outcome of the trial's problem says of the trial's fault.
[[nodiscard]] inline FaultFinding finding_of(const FaultTrial& trial, const Outcome& outcome) {
  FaultFinding finding;
  finding.caught = outcome.verdict == Verdict::fail;
  finding.said = outcome.reason;
  const std::vector<std::string> names = faults_that_look_like(trial);
  finding.named = finding.caught && std::find(names.begin(), names.end(), outcome.label("fault")) != names.end();
  if (const std::string guilty = outcome.label("guilty_rank"); finding.caught && !guilty.empty()) {
    finding.guilty_told = guilty == std::to_string(blamed_rank(trial));
    finding.guilty_wrong = !finding.guilty_told;
  }
  return finding;
}

/// Gives a collective the trial's fault, of values, memory or order or an early exit, and checks it. Every rank calls it with its
/// end, over any runtime, and gets the same answer; the communicator stays of use. Errors: those of the coordinator;
/// `unsupported`, where the runtime lacks what it takes.
[[nodiscard]] inline Result<FaultFinding> try_fault(FaultyCollective& faulty, Coordinator& coordinator, const FaultTrial& trial) {
  faulty.inject(trial.injection);
  AnyCollective any(faulty);
  const Outcome outcome = check_collective(any, coordinator, trial.problem, trial.options);
  if (outcome.verdict == Verdict::unsupported) return failure(ErrorKind::unsupported, outcome.reason);
  auto altered =
      coordinator.exchange(faulty.altered() > 0 ? "altered" : "", deadline_after(trial.options.timeout + std::chrono::seconds(10)));
  if (!altered) return altered.propagate();
  FaultFinding finding = finding_of(trial, outcome);
  finding.took_effect =
      std::any_of(altered.value().begin(), altered.value().end(), [](const auto& text) { return text && !text->empty(); });
  return finding;
}

/// The same of any fault; the communicator may be of no more use afterwards. Ranks that hang, crash or call something else are
/// looked for in the records of all ranks, slow ones by their times.
[[nodiscard]] inline Result<FaultFinding> try_fault(AnyCollective right, Coordinator& coordinator, const FaultTrial& trial,
                                                    const TrialOptions& options = {}) {
  const auto fault = collective_fault_named(trial.injection.fault);
  if (fault && fault->symptom == FaultSymptom::time) return detail::try_slowness(std::move(right), coordinator, trial, options);
  if (fault && keeps_communicator(*fault)) {
    FaultyCollective faulty(std::move(right), {});
    return try_fault(faulty, coordinator, trial);
  }
  return detail::try_hang(std::move(right), coordinator, trial, options);
}

}  // namespace assay::inline v0
