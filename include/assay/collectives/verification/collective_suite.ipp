#pragma once

#include "assay/collectives/verification/collective_suite.hpp"

#include <mutex>

#include "assay/collectives/measurement/bandwidth.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Kinds of data that tell something of their own about a reduction of the type.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<CollectiveDataKind> kinds_for(ElementType type,
                                                                                   ReductionOperator reduction) {
  using enum CollectiveDataKind;
  if (is_integer(type)) return reduction == ReductionOperator::sum ? std::vector{decode, exact} : std::vector{decode};
  if (reduction == ReductionOperator::sum) return {decode, exact, random, canceling, special, order_probe};
  return {decode, random, special};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<CollectiveProblem> collective_problems(int size,
                                                                              const CollectiveSuiteOptions& options) {
  const std::vector<Index> counts{1, size - 1, size, size + 1, 1021, options.large_count, 0};
  std::vector<CollectiveProblem> problems;
  std::size_t turn = 0;
  const auto add_next = [&](CollectiveProblem problem) {
    problem.offset = turn % 3 == 2 ? 1 : 0;
    problem.root = has_root(problem.operation) ? options.root.value_or(static_cast<int>(turn) % size) : 0;
    problem.seed = options.seed + turn++;
    if (problem.in_place ? options.in_place
                         : options.out_of_place || problem.operation == CollectiveOperation::all_to_all_v)
      problems.push_back(problem);
  };
  const auto add = [&](CollectiveProblem problem, std::size_t variants) {
    const bool both = problem.operation != CollectiveOperation::all_to_all_v;
    for (const double bytes : options.sizes) {
      problem.count = count_of_bytes(problem.operation, bytes, static_cast<double>(bytes_of(problem.type)), size);
      for (const bool in_place : {false, true}) {
        problem.in_place = in_place;
        if (both || !in_place) add_next(problem);
      }
    }
    for (std::size_t i = 0; i < (options.sizes.empty() ? variants : 0); ++i) {
      problem.count = counts[turn % counts.size()];
      problem.in_place = turn / 2 % 2 == 1 && both;
      add_next(problem);
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

ASSAY_DETAIL_HEADER_INLINE Suite collective_suite(const std::string& runtime, int size, OnEveryRank on_every_rank,
                                                  const CollectiveSuiteOptions& options) {
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

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_collectives(AnyCollective& collective, Coordinator& coordinator,
                                                                  const std::vector<CollectiveProblem>& problems,
                                                                  const CollectiveCheckOptions& options,
                                                                  const std::function<void(const Outcome&)>& observe) {
  std::vector<Outcome> outcomes;
  for (const CollectiveProblem& problem : problems) {
    outcomes.push_back(check_collective(collective, coordinator, problem, options));
    if (observe) observe(outcomes.back());
    const Outcome& last = outcomes.back();
    if (last.verdict == Verdict::error || (last.verdict == Verdict::fail && last.label("runtime_failed") == "yes"))
      break;
  }
  return outcomes;
}

}  // namespace assay::inline v0
