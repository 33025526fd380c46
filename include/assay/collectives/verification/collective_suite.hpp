#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/verification/check_collective.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0 {

/// What a suite of collectives asks for. The same on every rank.
struct CollectiveSuiteOptions {
  std::vector<CollectiveOperation> operations{all_collective_operations.begin(), all_collective_operations.end()};
  std::vector<ElementType> types{all_element_types.begin(), all_element_types.end()};
  std::vector<ReductionOperator> reductions{all_reductions.begin(), all_reductions.end()};
  Index large_count = 100003;                   ///< a prime
  NanReduction nan_policy = NanReduction::any;  ///< what the runtime promises of NaN in reductions
  std::uint64_t seed = 1;                       ///< of the data
  CollectiveCheckOptions check;
};

namespace detail {

/// Kinds of data that tell something of their own about a reduction of the type.
[[nodiscard]] inline std::vector<CollectiveDataKind> kinds_for(ElementType type, ReductionOperator reduction) {
  using enum CollectiveDataKind;
  if (is_integer(type)) return reduction == ReductionOperator::sum ? std::vector{decode, exact} : std::vector{decode};
  if (reduction == ReductionOperator::sum) return {decode, exact, random, cancelling, special, order_probe};
  return {decode, random, special};
}

}  // namespace detail

/// Problems for `size` ranks: every operation and type; every reduction and kind of data; counts 0, 1, n − 1, n, n + 1, a
/// prime and `large_count`; in place and out of place; aligned and not; other roots. Counts, places and roots go through all
/// their values from problem to problem, so that there are some hundred problems and not some hundred thousand: every pair
/// of an operation with each of them occurs.
[[nodiscard]] inline std::vector<CollectiveProblem> collective_problems(int size, const CollectiveSuiteOptions& options = {}) {
  const std::vector<Index> counts{1, size - 1, size, size + 1, 1021, options.large_count, 0};
  std::vector<CollectiveProblem> problems;
  std::size_t turn = 0;
  const auto add = [&](CollectiveProblem problem, std::size_t variants) {
    for (std::size_t i = 0; i < variants; ++i, ++turn) {
      problem.count = counts[turn % counts.size()];
      problem.in_place = turn / 2 % 2 == 1 && problem.operation != CollectiveOperation::all_to_all_v;
      problem.offset = turn % 3 == 2 ? 1 : 0;
      problem.root = has_root(problem.operation) ? static_cast<int>(turn) % size : 0;
      problem.seed = options.seed + turn;
      problems.push_back(problem);
    }
  };
  for (const CollectiveOperation operation : options.operations) {
    CollectiveProblem problem;
    problem.operation = operation;
    problem.nan_policy = options.nan_policy;
    if (operation == CollectiveOperation::barrier) {
      problem.count = 0;
      problems.push_back(problem);
      continue;
    }
    for (const ElementType type : options.types) {
      problem.type = type;
      if (!reduces(operation)) {
        add(problem, counts.size());
        continue;
      }
      for (const ReductionOperator reduction : options.reductions) {
        problem.reduction = reduction;
        for (const CollectiveDataKind kind : detail::kinds_for(type, reduction)) {
          problem.data = kind;
          add(problem, operation == CollectiveOperation::all_reduce ? 4 : 2);
        }
      }
    }
  }
  return problems;
}

/// Runs a function on every rank of a communicator at once, giving each its end and its coordinator, and returns when all
/// have: `run_ranks` for threads. Empty where this process is one rank of a communicator that it holds itself.
using OnEveryRank = std::function<void(const std::function<void(AnyCollective&, Coordinator&)>&)>;

/// The problems as cases for a process that drives all ranks, such as those in process. A case's seed moves the data.
/// Thread safety: cases take turns.
[[nodiscard]] inline Suite collective_suite(const std::string& runtime, int size, OnEveryRank on_every_rank,
                                            const CollectiveSuiteOptions& options = {}) {
  Suite suite;
  const auto turns = std::make_shared<std::mutex>();
  for (const CollectiveProblem& problem : collective_problems(size, options)) {
    Case entry;
    entry.id = problem.id(runtime, size);
    entry.labels = labels_of(problem, runtime, size);
    if (problem.count >= 1 << 20) entry.tags.push_back("large");
    entry.run = [=](const CaseContext& context) {
      const std::lock_guard lock(*turns);
      CollectiveProblem asked = problem;
      asked.seed += context.seed;
      Outcome outcome;
      on_every_rank([&](AnyCollective& collective, Coordinator& coordinator) {
        Outcome mine = check_collective(collective, coordinator, asked, options.check);
        if (collective.rank() == 0) outcome = std::move(mine);
      });
      return outcome;
    };
    suite.push_back(std::move(entry));
  }
  return suite;
}

/// Checks all problems in lockstep, every rank of a communicator (processes under MPI) calling it alike. Every rank receives
/// all outcomes; rank 0 reports them. Where a call hung or the runtime failed, the communicator is of no more use: the rest is
/// left out, so that there are fewer outcomes than problems. `observe` is shown each outcome as it comes.
[[nodiscard]] inline std::vector<Outcome> check_collectives(AnyCollective& collective, Coordinator& coordinator,
                                                            const std::vector<CollectiveProblem>& problems,
                                                            const CollectiveCheckOptions& options = {},
                                                            const std::function<void(const Outcome&)>& observe = {}) {
  std::vector<Outcome> outcomes;
  for (const CollectiveProblem& problem : problems) {
    outcomes.push_back(check_collective(collective, coordinator, problem, options));
    if (observe) observe(outcomes.back());
    const Outcome& last = outcomes.back();
    if (last.verdict == Verdict::error || (last.verdict == Verdict::fail && last.label("runtime_failed") == "yes")) break;
  }
  return outcomes;
}

}  // namespace assay::inline v0
