#pragma once

#include "assay/kernels/gather/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const GatherProblem& problem) {
  if (auto extents = check_extents({{"rows", problem.rows}, {"width", problem.width}}); !extents) return extents;
  if (auto extents = check_extents({{"count", problem.count}, {"width", problem.width}}); !extents) return extents;
  if (problem.rows == 0 && problem.count > 0 && problem.out_of_range != OutOfRange::zeros)
    return failure(ErrorKind::invalid, "rows is 0, but there are " + std::to_string(problem.count) +
                                           " indices and none may be out of range");
  if (problem.padding_row >= problem.rows || problem.padding_row < -1)
    return failure(ErrorKind::invalid,
                   "padding_row is " + std::to_string(problem.padding_row) + "; it must be a row of the table, or -1");
  if (problem.padding_row >= 0 && problem.kind != GatherKind::embedding_gradient)
    return failure(ErrorKind::invalid, "padding_row is for gradients of embeddings only");
  if (problem.index_format.is_float() || problem.index_format.bytes < 4)
    return failure(ErrorKind::invalid,
                   std::string("index_format is ") + problem.index_format.name + "; it must be int32 or int64");
  if (problem.kind != GatherKind::gather) return check_float_formats({{"format", problem.format}});
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const GatherProblem& problem) {
  std::string name = extents_name({problem.rows, problem.width}) + "-by" + std::to_string(problem.count);
  if (problem.out_of_range != OutOfRange::refused)
    name += problem.out_of_range == OutOfRange::clamped ? "-clamped" : "-zeros";
  if (problem.negative == NegativeIndex::from_end) name += "-from_end";
  if (problem.padding_row >= 0) name += "-padding" + std::to_string(problem.padding_row);
  return name;
}

}  // namespace assay::inline v0
