#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/verification/collective_diagnosis.hpp"
#include "assay/collectives/verification/detail/checked_call.hpp"
#include "assay/collectives/verification/measure_determinism.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

namespace detail {

/// Measures determinism where it is asked for, and adds it to the outcome of a problem whose values are right.
void add_determinism(Outcome& outcome, AnyCollective& collective, Coordinator& coordinator,
                     const CollectiveProblem& problem, const CollectiveCheckOptions& options);

/// Calls that every rank makes and judges by `check` (see `checked_call`), until one is wrong.
template <class Check>
[[nodiscard]] Outcome check_calls(AnyCollective& collective, Coordinator& coordinator, const CollectiveProblem& problem,
                                  const CollectiveCheckOptions& options, Result<Check> check) {
  const auto start = std::chrono::steady_clock::now();
  const auto patience = options.timeout + std::chrono::seconds(10);
  const bool barrier = problem.operation == CollectiveOperation::barrier;
  const std::uint64_t calls = std::max<std::uint64_t>(options.calls, 1);
  std::vector<RankFinding> findings;
  std::uint64_t call = 0;
  double elements = 0;
  for (; call < calls; ++call) {
    RankFinding mine;
    mine.rank = collective.rank();
    mine.call = options.first_call + call;
    if (!check)
      mine.error = check.error();
    else if (barrier)
      mine = checked_barrier(collective, coordinator, mine.call, options);
    else
      mine = checked_call(collective, check.value(), call % options.slots, mine.call, options.timeout);
    auto all = exchange_findings(coordinator, mine, deadline_after(patience));
    if (!all) {
      mine.error = all.error();
      findings = {mine};
      break;
    }
    findings = std::move(all).value();
    for (const RankFinding& finding : findings) elements += static_cast<double>(finding.elements);
    if (!are_right(findings)) break;
  }
  Outcome outcome = outcome_of(problem, collective.name(), collective.size(), findings, call);
  if (outcome.verdict == Verdict::pass) add_determinism(outcome, collective, coordinator, problem, options);
  outcome.measure("calls", static_cast<double>(std::min(call + 1, calls)), "calls");
  outcome.measure(measurement::elements, elements, barrier ? "barriers" : "elements");
  outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace detail

/// Whether a collective gives what the problem asks for, call after call, and if not, which rank is guilty of what.
/// Every rank calls it with the same arguments; every rank receives the same outcome. Ends at the first call in which
/// any rank found anything. The outcome's label "fault" is a name of `collective_faults()`, where the cause can be
/// told, "guilty_rank" its rank, "determinism" the level that was measured. Misuse: a problem that no rank could have
/// (see `RankCheck::make`).
[[nodiscard]] inline Outcome check_collective(AnyCollective& collective, Coordinator& coordinator,
                                              const CollectiveProblem& problem,
                                              const CollectiveCheckOptions& options = {}) {
  return detail::check_calls(collective, coordinator, problem, options,
                             RankCheck::make(collective, problem, options.slots));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/check_collective.ipp"
#endif
