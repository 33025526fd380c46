#pragma once

#include "assay/collectives/measurement/sweep.hpp"

#include <chrono>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// All that is to be measured, in order: operation, type, reduction, size; out of place before in place.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<CollectiveProblem> problems_of(const SweepOptions& options,
                                                                                    int ranks) {
  std::vector<CollectiveProblem> problems;
  for (const CollectiveOperation operation : options.operations) {
    const bool data = operation != CollectiveOperation::barrier;
    const bool can_be_in_place = data && operation != CollectiveOperation::all_to_all_v;
    const std::vector<ElementType> types = data ? options.types : std::vector<ElementType>{ElementType::int8};
    const std::vector<ReductionOperator> reductions =
        reduces(operation) ? options.reductions : std::vector<ReductionOperator>{ReductionOperator::sum};
    for (const ElementType type : types)
      for (const ReductionOperator reduction : reductions) {
        Index last = -1;
        for (const double bytes : data ? sizes_of(options) : std::vector<double>{0}) {
          CollectiveProblem problem;
          problem.operation = operation;
          problem.type = type;
          problem.reduction = reduction;
          problem.root = options.root;
          problem.count = count_of_bytes(operation, bytes, static_cast<double>(bytes_of(type)), ranks);
          problem.data = CollectiveDataKind::exact;
          problem.seed = options.seed;
          if (problem.count == last) continue;  // sizes below one element a rank are one
          last = problem.count;
          if (options.out_of_place || !can_be_in_place) problems.push_back(problem);
          problem.in_place = true;
          if (options.in_place && can_be_in_place) problems.push_back(problem);
        }
      }
  }
  return problems;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<SweepResult> sweep(AnyCollective& collective, Coordinator& coordinator,
                                                     const SweepOptions& options, const SweepObserver& observer) {
  if (auto checked = check(options, collective.size()); !checked) return checked.propagate();
  const auto start = std::chrono::steady_clock::now();
  SweepResult result;
  result.runtime = collective.name();
  result.ranks = collective.size();
  result.warm_up = options.warm_up;
  result.iterations = options.iterations;
  const auto same = [](const SweepPoint& point, const CollectiveProblem& problem) {
    return point.operation == problem.operation && point.type == problem.type && point.reduction == problem.reduction &&
           point.in_place == problem.in_place;
  };
  for (const CollectiveProblem& problem : detail::problems_of(options, collective.size())) {
    bool lacked = false;
    for (const SweepPoint& point : result.points)
      lacked = lacked || (point.error && point.error->kind == ErrorKind::unsupported && same(point, problem));
    if (lacked) continue;
    auto point = detail::SweepPointMeasurement(collective, coordinator, options, problem).run();
    if (!point) return point.propagate();
    result.points.push_back(std::move(point).value());
    if (observer) observer(result.points.back());
    const auto& error = result.points.back().error;
    if (error && error->kind != ErrorKind::unsupported && error->kind != ErrorKind::invalid &&
        error->kind != ErrorKind::out_of_memory)
      break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace assay::inline v0
