#include "assay/collectives/verification/measure_determinism.hpp"

#include "assay/collectives/verification/check_collective.hpp"
#include "collectives/verification/verified_world.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome determinism(CollectiveDataKind data, DeterminismLevel required, bool shuffled) {
  return testing::outcome_of_world(
      5,
      [&](AnyCollective& collective, Coordinator& coordinator) {
        CollectiveProblem problem;
        problem.count = 500;
        problem.data = data;
        CollectiveCheckOptions options;
        options.required_determinism = required;
        return check_collective(collective, coordinator, problem, options);
      },
      {}, shuffled);
}

}  // namespace

TEST_CASE("orders that change from call to call are told, and a failure only where determinism is required") {
  Outcome outcome = determinism(CollectiveDataKind::order_probe, DeterminismLevel::across_ranks, true);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("determinism") == "across_ranks");
  outcome = determinism(CollectiveDataKind::order_probe, DeterminismLevel::run_to_run, true);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "nondeterministic_order");
}

TEST_CASE("a ring adds in the same order whenever and wherever, but for a message that is split") {
  const Outcome outcome = determinism(CollectiveDataKind::order_probe, DeterminismLevel::across_offsets, false);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("determinism") == "across_offsets");
  CHECK(determinism(CollectiveDataKind::order_probe, DeterminismLevel::across_splits, false).verdict == Verdict::fail);
  CHECK(determinism(CollectiveDataKind::decode, DeterminismLevel::across_splits, false).verdict == Verdict::pass);
  CHECK(determinism(CollectiveDataKind::decode, DeterminismLevel::across_ranks, false).label("determinism").empty());
}
