#pragma once

#include "assay/kernels/sampling/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const SamplingProblem& problem) {
  if (auto extents = check_extents({{"rows", problem.rows}, {"vocabulary", problem.vocabulary}}); !extents)
    return extents;
  if (auto extents = check_extents({{"rows", problem.rows}, {"draws", problem.draws}}); !extents) return extents;
  if (problem.vocabulary < 1)
    return failure(ErrorKind::invalid,
                   "vocabulary is " + std::to_string(problem.vocabulary) + "; there must be something to draw");
  if (!(problem.temperature >= 0) || !is_finite(problem.temperature))
    return failure(ErrorKind::invalid, "temperature is " + detail::printed_number(problem.temperature) +
                                           "; it must be finite and 0 or more");
  if (problem.top_k < 0)
    return failure(ErrorKind::invalid,
                   "top_k is " + std::to_string(problem.top_k) + "; it must be 0 (all tokens) or more");
  if (!(problem.top_p > 0 && problem.top_p <= 1))
    return failure(ErrorKind::invalid,
                   "top_p is " + detail::printed_number(problem.top_p) + "; it must be above 0 and at most 1");
  if (problem.token_format.is_float() || problem.token_format.bytes < 4)
    return failure(ErrorKind::invalid,
                   std::string("token_format is ") + problem.token_format.name + "; it must be int32 or int64");
  return check_float_formats({{"format", problem.format}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const SamplingProblem& problem) {
  std::string name = extents_name({problem.rows, problem.vocabulary}) + "-" + std::to_string(problem.draws) + "draws";
  if (problem.temperature != 1) name += "-t" + plain_number(problem.temperature);
  if (problem.top_k > 0) name += "-k" + std::to_string(problem.top_k);
  if (problem.top_k > 0 && problem.ties == TopKTies::all_tied) name += "_tied";
  if (problem.top_p < 1) name += "-p" + plain_number(problem.top_p);
  return name;
}

}  // namespace assay::inline v0
