#pragma once

#include "assay/kernels/reduction/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ReductionProblem& problem) {
  if (auto extents = check_extents({{"outer", problem.outer}, {"length", problem.length}, {"inner", problem.inner}});
      !extents)
    return extents;
  const std::string function(name_of(problem.function));
  if (problem.selects() && problem.length == 0)
    return failure(ErrorKind::invalid, "length is 0; the " + function + " of no elements does not exist");
  if (problem.correction < 0)
    return failure(ErrorKind::invalid,
                   "correction is " + std::to_string(problem.correction) + "; it must be 0 or more");
  if (problem.correction != 0 && problem.function != ReductionFunction::variance)
    return failure(ErrorKind::invalid, "correction is set for " + function + "; only variance has one");
  if (problem.exclusive && !problem.is_scan())
    return failure(ErrorKind::invalid, "exclusive is set for " + function + "; only prefix_sum can be");
  if (problem.keep_extent && problem.is_scan())
    return failure(ErrorKind::invalid, "keep_extent is set for prefix_sum, which reduces no dimension");
  if (problem.gives_index() && problem.output.is_float())
    return failure(ErrorKind::invalid, std::string("output is ") + problem.output.name + "; the output of " + function +
                                           " must be an integer format");
  if (problem.gives_index() && static_cast<double>(problem.length) > problem.output.max_finite())
    return failure(ErrorKind::invalid, "length is " + std::to_string(problem.length) + ", but output is " +
                                           problem.output.name + ", which cannot hold its indices");
  if (problem.gives_index()) return check_float_formats({{"input", problem.input}});
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const ReductionProblem& problem) {
  std::string name = extents_name({problem.outer, problem.length, problem.inner});
  if (problem.keep_extent) name += "-keep";
  if (problem.correction != 0) name += "-correction" + std::to_string(problem.correction);
  if (problem.exclusive) name += "-exclusive";
  if (problem.ties != TiePolicy::first) name += problem.ties == TiePolicy::last ? "-last" : "-any";
  if (problem.nan_policy == NanPolicy::number) name += "-number";
  return name;
}

}  // namespace assay::inline v0
