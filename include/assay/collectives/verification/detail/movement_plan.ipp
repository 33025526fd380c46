#pragma once

#include "assay/collectives/verification/detail/movement_plan.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Elements of the block that `source` sends to `destination` in an all_to_all_v: from none to `count`.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Index varied_count(const CollectiveProblem& problem, int source,
                                                            int destination) {
  return problem.count *
         static_cast<Index>(
             mixed(problem.seed, static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(destination)) % 4) /
         3;
}

ASSAY_DETAIL_HEADER_INLINE RankBlockLayout varied_layout(const CollectiveProblem& problem, int rank, int size,
                                                         bool sent) {
  RankBlockLayout layout;
  Index at = 0;
  for (int other = 0; other < size; ++other) {
    const Index count = sent ? varied_count(problem, rank, other) : varied_count(problem, other, rank);
    layout.counts.push_back(count);
    layout.displacements.push_back(at);
    at += count + 1;
  }
  return layout;
}

/// By how many ranks a send_receive goes up, around the ring.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int distance_of(int size, std::uint64_t call) {
  return size > 1 ? 1 + static_cast<int>(call % static_cast<std::uint64_t>(size - 1)) : 0;
}

ASSAY_DETAIL_HEADER_INLINE CollectiveCall call_of(const CollectiveProblem& problem, int rank, int size,
                                                  std::uint64_t call) {
  CollectiveCall made;
  made.operation = problem.operation;
  made.type = problem.type;
  made.count = problem.operation == CollectiveOperation::barrier ? 0 : problem.count;
  made.reduction = problem.reduction;
  made.root = problem.root;
  if (problem.operation == CollectiveOperation::send_receive) {
    made.destination = (rank + distance_of(size, call)) % size;
    made.source = (rank - distance_of(size, call) + size) % size;
  }
  if (problem.operation == CollectiveOperation::all_to_all_v) {
    made.sent = varied_layout(problem, rank, size, true);
    made.received = varied_layout(problem, rank, size, false);
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<StreamPart> expected_parts(const CollectiveProblem& problem, int rank, int size,
                                                                  std::uint64_t call) {
  const Index count = problem.count;
  std::vector<StreamPart> parts;
  switch (problem.operation) {
    case CollectiveOperation::all_reduce: return {{0, count, of_all, 0}};
    case CollectiveOperation::reduce:
      return rank == problem.root ? std::vector<StreamPart>{{0, count, of_all, 0}} : parts;
    case CollectiveOperation::reduce_scatter: return {{0, count, of_all, rank * count}};
    case CollectiveOperation::broadcast: return {{0, count, problem.root, 0}};
    case CollectiveOperation::scatter: return {{0, count, problem.root, rank * count}};
    case CollectiveOperation::send_receive: return {{0, count, call_of(problem, rank, size, call).source, 0}};
    case CollectiveOperation::gather:
      if (rank != problem.root) return parts;
      [[fallthrough]];
    case CollectiveOperation::all_gather:
      for (int source = 0; source < size; ++source) parts.push_back({source * count, count, source, 0});
      return parts;
    case CollectiveOperation::all_to_all:
      for (int source = 0; source < size; ++source) parts.push_back({source * count, count, source, rank * count});
      return parts;
    case CollectiveOperation::all_to_all_v: {
      const RankBlockLayout received = varied_layout(problem, rank, size, false);
      for (int source = 0; source < size; ++source) {
        const auto block = static_cast<std::size_t>(source);
        const Index from = varied_layout(problem, source, size, true).displacements[static_cast<std::size_t>(rank)];
        parts.push_back({received.displacements[block], received.counts[block], source, from});
      }
      return parts;
    }
    case CollectiveOperation::barrier: break;
  }
  return parts;
}

}  // namespace assay::inline v0::detail
