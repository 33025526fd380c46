#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/verification/check_collective.hpp"

namespace assay::testing {

/// Every operation with a few types, counts, places and data that between them cover what runtimes do differently: 1,
/// 2, 4 and 8 bytes, integers and floating point, no elements, fewer than ranks, ragged, some packets' worth.
inline std::vector<CollectiveProblem> runtime_problems(int size) {
  std::vector<CollectiveProblem> problems;
  const auto add = [&](CollectiveOperation operation, ElementType type, Index count, ReductionOperator reduction,
                       CollectiveDataKind data, bool in_place) {
    CollectiveProblem problem;
    problem.operation = operation;
    problem.type = type;
    problem.count = count;
    problem.reduction = reduction;
    problem.data = data;
    problem.in_place =
        in_place && operation != CollectiveOperation::all_to_all_v && operation != CollectiveOperation::barrier;
    problem.root = static_cast<int>(problems.size()) % size;
    problem.offset = static_cast<Index>(problems.size()) % 3;
    problems.push_back(problem);
  };
  for (const CollectiveOperation operation : all_collective_operations) {
    if (operation == CollectiveOperation::barrier)
      add(operation, ElementType::float32, 0, ReductionOperator::sum, CollectiveDataKind::decode, false);
    else if (!reduces(operation))
      for (const ElementType type :
           {ElementType::uint8, ElementType::bfloat16, ElementType::float32, ElementType::int64})
        for (const Index count : {Index{0}, Index{1}, Index{size + 1}, Index{5003}})
          add(operation, type, count, ReductionOperator::sum, CollectiveDataKind::decode, problems.size() % 2 == 0);
    else
      for (const ReductionOperator reduction : all_reductions)
        for (const ElementType type : all_element_types)
          for (const Index count : {Index{0}, Index{size - 1}, Index{257}}) {
            const bool exact = is_integer(type) || count < 257;
            add(operation, type, count, reduction, exact ? CollectiveDataKind::decode : CollectiveDataKind::random,
                problems.size() % 2 == 0);
          }
  }
  return problems;
}

/// One in `stride`, which shares no factor with the numbers of types, counts and reductions: all of each are among
/// them.
inline std::vector<CollectiveProblem> some_of(const std::vector<CollectiveProblem>& all, std::size_t stride) {
  std::vector<CollectiveProblem> some;
  for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
  return some;
}

/// What is wrong with the runtime, empty if nothing is. Every rank calls it alike and receives the same.
inline std::vector<std::string> faults_of(AnyCollective& collective, Coordinator& coordinator,
                                          const std::vector<CollectiveProblem>& problems) {
  std::vector<std::string> found;
  CollectiveCheckOptions options;
  options.calls = 1;
  options.slots = 1;
  for (const CollectiveProblem& problem : problems) {
    const Outcome outcome = check_collective(collective, coordinator, problem, options);
    if (outcome.verdict == Verdict::pass) continue;
    found.push_back(outcome.id + ": " + outcome.reason);
    if (found.size() > 10) break;
  }
  return found;
}

}  // namespace assay::testing
