#pragma once

#include "assay/kernels/elementwise/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ElementwiseProblem& problem) {
  const std::string function(name_of(problem.function));
  if (problem.rank < 0 || problem.rank > ElementwiseProblem::most_dimensions)
    return failure(ErrorKind::invalid,
                   "rank is " + std::to_string(problem.rank) + "; elementwise operations have 0 to 4 dimensions");
  const Index* n = problem.extents;
  const auto extent = [&](int d) { return d < problem.rank ? n[d] : Index{1}; };
  if (auto extents = check_extents(
          {{"extents[0]", extent(0)}, {"extents[1]", extent(1)}, {"extents[2]", extent(2)}, {"extents[3]", extent(3)}});
      !extents)
    return extents;
  if (problem.backward && !has_gradient(problem.function))
    return failure(ErrorKind::invalid,
                   "backward is set for " + function + "; only activations have a backward pass here");
  for (int i = 0; i < 3; ++i) {
    if (problem.broadcast[i] >> problem.rank != 0)
      return failure(ErrorKind::invalid, "broadcast[" + std::to_string(i) + "] names a dimension beyond the rank " +
                                             std::to_string(problem.rank));
    if (problem.broadcast[i] != 0 && (problem.backward || i >= operands_of(problem.function)))
      return failure(ErrorKind::invalid, "broadcast[" + std::to_string(i) + "] is set, but " + function +
                                             (problem.backward ? " backward" : "") + " repeats no such operand");
  }
  unsigned in_all = ~0U;
  for (int i = 0; i < problem.inputs(); ++i) in_all &= problem.broadcast[i];
  if (in_all != 0)
    return failure(
        ErrorKind::invalid,
        "broadcast repeats every operand along the same dimension; one of them must have the output's extent");
  if (!is_finite(problem.a) || !is_finite(problem.b))
    return failure(ErrorKind::invalid, "a and b of scale_shift must be finite");
  if (problem.function == ElementwiseFunction::cast) return {};
  if (problem.rounding != Rounding::nearest_even || problem.saturating)
    return failure(ErrorKind::invalid, "rounding and saturating are of cast alone; " + function + " has neither");
  return check_float_formats({{"input", problem.input}, {"second", problem.second}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const ElementwiseProblem& problem) {
  std::string name = problem.rank == 0 ? "scalar" : extents_name({problem.extents, problem.extents + problem.rank});
  for (int i = 0; i < problem.inputs(); ++i)
    if (problem.broadcast[i] != 0) name += std::string("-") + "xyz"[i] + extents_name(problem.extents_of(i));
  if (problem.function == ElementwiseFunction::scale_shift)
    name += "-a" + plain_number(problem.a) + "b" + plain_number(problem.b);
  if (problem.nan_policy == NanPolicy::number) name += "-number";
  if (problem.rounding == Rounding::toward_zero) name += "-toward_zero";
  if (problem.rounding == Rounding::nearest_away) name += "-nearest_away";
  if (problem.rounding == Rounding::toward_positive) name += "-toward_positive";
  if (problem.rounding == Rounding::toward_negative) name += "-toward_negative";
  if (problem.saturating) name += "-saturating";
  return name;
}

}  // namespace assay::inline v0
