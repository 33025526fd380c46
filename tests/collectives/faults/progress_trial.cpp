#include "assay/collectives/faults/progress_trial.hpp"

#include <chrono>
#include <vector>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

FaultFinding tried(const FaultTrial& trial, int ranks, bool check_calls, std::chrono::milliseconds patience) {
  InProcessOptions options;
  options.check_calls = check_calls;
  const InProcessWorld world(ranks, options);
  auto coordinators = in_process_coordinators(ranks);
  std::vector<FaultFinding> findings(static_cast<std::size_t>(ranks));
  run_ranks(world, [&](InProcessCollective& own) {
    const auto rank = static_cast<std::size_t>(own.rank());
    findings[rank] = try_progress_fault(own, coordinators[rank], trial, patience).value().finding;
  });
  for (const FaultFinding& finding : findings) CHECK((finding.caught == findings.front().caught && finding.named == findings.front().named));
  return findings.front();
}

}  // namespace

TEST_CASE("ranks that hang, crash or call something else are named, over a runtime that compares calls and one that does not", "[collectives]") {
  int trials = 0;
  for (const CollectiveFault& fault : collective_faults())
    for (const FaultTrial& trial : progress_trials(fault, 4))
      for (const bool check_calls : {true, false}) {
        const FaultFinding finding = tried(trial, 4, check_calls, std::chrono::milliseconds(40));
        CAPTURE(trial.injection.fault, trial.problem.id("in_process", 4), check_calls, finding.said);
        ++trials;
        CHECK(finding.caught);
        CHECK(finding.named);
        CHECK_FALSE(finding.guilty_wrong);
        const bool pair = trial.problem.operation == CollectiveOperation::send_receive && fault.symptom == FaultSymptom::mismatch;
        CHECK(finding.guilty_told != pair);  // of a message with unequal ends both are told
      }
  CHECK(trials == 2 * (9 + 10 + 9 + 11 + 11));
}

TEST_CASE("ranks that come late, but come, are not accused", "[collectives]") {
  FaultTrial trial;
  trial.injection.fault = "slow_rank";
  trial.injection.rank = 2;
  trial.injection.delay = std::chrono::milliseconds(30);
  for (const CollectiveOperation operation : all_collective_operations) {
    trial.problem.operation = operation;
    const FaultFinding finding = tried(trial, 4, true, std::chrono::seconds(20));
    CAPTURE(name_of(operation), finding.said);
    CHECK_FALSE(finding.caught);
  }
}
