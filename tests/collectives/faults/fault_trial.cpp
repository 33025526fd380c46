#include "assay/collectives/faults/fault_trial.hpp"

#include <array>
#include <set>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every fault has trials: of all operations and types that it fits, with another guilty rank each time",
          "[collectives]") {
  constexpr std::array types{ElementType::float32, ElementType::int32};
  for (const CollectiveFault& fault : collective_faults()) {
    const std::vector<FaultTrial> trials = fault_trials(fault, 4, types);
    CAPTURE(fault.name);
    CHECK_FALSE(trials.empty());
    std::set<int> guilty;
    for (const FaultTrial& trial : trials) {
      CHECK(trial.injection.fault == fault.name);
      CHECK(fault.fits(trial.problem.operation, trial.problem.reduction, trial.problem.type));
      CHECK((blamed_rank(trial) >= -1 && blamed_rank(trial) < 4));
      CHECK(faults_that_look_like(trial).front() == fault.name);
      guilty.insert(trial.injection.rank);
    }
    CHECK(guilty.size() == std::min<std::size_t>(4, trials.size()));
  }
  CHECK(fault_trials(*collective_fault_named("rank_dropped"), 4, types).size() == 2 * (3 * 6 + 7));
  CHECK(fault_trials(*collective_fault_named("average_rounded_down"), 4, types).size() == 3);
  CHECK(fault_trials(*collective_fault_named("rank_hang"), 4, types).size() == 11);
  CHECK(fault_trials(*collective_fault_named("early_barrier_exit"), 4, types).size() == 1);
}

TEST_CASE("the root is to blame where it alone gives or receives, nobody where all ranks do the same",
          "[collectives]") {
  FaultTrial trial;
  trial.injection.rank = 1;
  trial.problem.root = 2;
  const auto blamed = [&](const char* fault, CollectiveOperation operation) {
    trial.injection.fault = fault;
    trial.problem.operation = operation;
    return blamed_rank(trial);
  };
  CHECK(blamed("bit_flip", CollectiveOperation::all_reduce) == 1);
  CHECK(blamed("bit_flip", CollectiveOperation::reduce) == 2);
  CHECK(blamed("stale_input", CollectiveOperation::broadcast) == 2);
  CHECK(blamed("stale_input", CollectiveOperation::gather) == 1);
  CHECK(blamed("rank_dropped", CollectiveOperation::broadcast) == 1);
  CHECK(blamed("wrong_root", CollectiveOperation::broadcast) == -1);
  CHECK(blamed("ranks_permuted", CollectiveOperation::scatter) == -1);
}
