#pragma once

#include "assay/collectives/verification/check_collective.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void add_determinism(Outcome& outcome, AnyCollective& collective, Coordinator& coordinator,
                                                const CollectiveProblem& problem,
                                                const CollectiveCheckOptions& options) {
  const bool measured =
      problem.data == CollectiveDataKind::order_probe || options.required_determinism > DeterminismLevel::across_ranks;
  if (!reduces(problem.operation) || !measured) return;
  auto level = measure_determinism(collective, coordinator, problem, options);
  if (!level) {
    outcome.verdict = level.error().kind == ErrorKind::timed_out ? Verdict::fail : Verdict::error;
    outcome.reason = "while calls were repeated: " + level.error().message;
    return;
  }
  const DeterminismLevel due =
      problem.operation == CollectiveOperation::reduce_scatter  // a half of it is another operation
          ? std::min(options.required_determinism, DeterminismLevel::across_offsets)
          : options.required_determinism;
  const std::string reached(name_of(level.value())), required(name_of(due));
  outcome.labels["determinism"] = reached;
  outcome.measure("determinism_level", static_cast<double>(level.value()), "level");
  if (level.value() >= due) return;
  outcome.verdict = Verdict::fail;
  outcome.labels["fault"] = "nondeterministic_order";
  outcome.reason = "bits are the same " + reached + " only; required is " + required;
  outcome.diagnosis.push_back(
      level.value() < DeterminismLevel::run_to_run
          ? "the same call with the same data gives other bits: the order of adding changes from call to call"
          : "the order of adding depends on where buffers lie, or on how a message is split");
}

}  // namespace assay::inline v0::detail
