#pragma once

#include "assay/kernels/rotary_embedding/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const RotaryEmbeddingProblem& problem) {
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"sequence", problem.sequence},
                                    {"heads", problem.heads},
                                    {"dimension", problem.dimension}});
      !extents)
    return extents;
  if (problem.rotary_dimension < 0 || problem.rotary_dimension > problem.dimension || problem.rotary_dimension % 2 != 0)
    return failure(ErrorKind::invalid,
                   "rotary_dimension is " + std::to_string(problem.rotary_dimension) +
                       "; it must be even and from 0 to dimension = " + std::to_string(problem.dimension));
  if (!(problem.base > 0) || !is_finite(problem.base))
    return failure(ErrorKind::invalid, "base is " + plain_number(problem.base) + "; it must be finite and above 0");
  if (!(problem.position_scale > 0) || !is_finite(problem.position_scale))
    return failure(ErrorKind::invalid,
                   "position_scale is " + plain_number(problem.position_scale) + "; it must be finite and above 0");
  if (problem.offset < 0)
    return failure(ErrorKind::invalid, "offset is " + std::to_string(problem.offset) + "; it must be 0 or more");
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const RotaryEmbeddingProblem& problem) {
  std::string name = extents_name({problem.batch, problem.sequence, problem.heads, problem.dimension});
  name += problem.layout == RotaryLayout::interleaved ? "-interleaved" : "-half_split";
  if (problem.rotary_dimension != problem.dimension) name += "-rotary" + std::to_string(problem.rotary_dimension);
  if (problem.base != 10000) name += "-base" + plain_number(problem.base);
  if (problem.position_scale != 1) name += "-scale" + plain_number(problem.position_scale);
  if (problem.offset != 0) name += "-offset" + std::to_string(problem.offset);
  if (problem.given_positions) name += "-positions";
  if (problem.inverse) name += "-inverse";
  if (problem.angles == AngleArithmetic::exact) name += "-exact_angles";
  if (problem.rounded_tables) name += "-rounded_tables";
  return name;
}

}  // namespace assay::inline v0
