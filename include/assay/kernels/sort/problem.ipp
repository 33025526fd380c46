#pragma once

#include "assay/kernels/sort/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const SortProblem& problem) {
  if (auto extents = check_extents({{"outer", problem.outer}, {"length", problem.length}, {"inner", problem.inner}});
      !extents)
    return extents;
  if (problem.k < -1 || problem.k > problem.length)
    return failure(ErrorKind::invalid, "k is " + std::to_string(problem.k) + "; of " + std::to_string(problem.length) +
                                           " elements 0 to all can be wanted, or -1 for a sort");
  if (!problem.ordered && problem.k < 0)
    return failure(ErrorKind::invalid, "ordered is false for a sort: without k the whole of a row is put in order");
  if (!problem.ordered && problem.ties == SortTies::stable)
    return failure(ErrorKind::invalid, "ties are stable only where the result is ordered");
  if (problem.index_format.is_float() || problem.index_format.bytes < 4)
    return failure(ErrorKind::invalid,
                   std::string("index_format is ") + problem.index_format.name + "; it must be int32 or int64");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const SortProblem& problem) {
  std::string name = extents_name({problem.outer, problem.length, problem.inner});
  if (problem.k >= 0) name += "-k" + std::to_string(problem.k);
  name += problem.descending ? "-largest" : "-smallest";
  if (!problem.ordered) name += "-unordered";
  if (problem.ties == SortTies::stable) name += "-stable";
  if (problem.nan == NanOrder::last) name += "-nan_last";
  return name;
}

}  // namespace assay::inline v0
