#pragma once

#include "assay/kernels/attention/bound.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE AttentionBound AttentionBound::of(const AttentionProblem& problem, RoundingModel model,
                                                             const Arithmetic& arithmetic) {
  AttentionBound bound;
  const Index longest = longest_row(problem);
  const double statements = statements_of(problem);
  bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
  bound.function_error = arithmetic.function_error() + 0x1p-50;
  bound.depth = static_cast<double>(problem.depth);
  bound.growth_depth =
      growth_factor(problem.depth, statements, arithmetic.accumulation, model).value + bound.depth * 0x1p-53;
  bound.growth_keys = positive_growth_factor(longest, statements, arithmetic.accumulation, model).value +
                      static_cast<double>(longest) * 0x1p-53;
  bound.weight_unit =
      problem.weights.unit_roundoff() > arithmetic.unit_roundoff() ? problem.weights.unit_roundoff() : 0;
  bound.underflow = arithmetic.accumulation.min_subnormal;
  bound.sum_underflow = static_cast<double>(2 * longest + 4) * bound.underflow;
  bound.weight_underflow = bound.underflow + problem.weights.min_subnormal();
  bound.score_unit = problem.scores.unit_roundoff() > arithmetic.unit_roundoff() ? problem.scores.unit_roundoff() : 0;
  if (bound.score_unit > 0) bound.largest_score = problem.scores.max_finite();
  bound.infinite_scores = problem.scores.layout.has_infinity();
  bound.largest = arithmetic.accumulation.max_finite;
  if (problem.log_base == LogarithmBase::two) bound.log_scale = 1 / std::log(2.0);
  bound.confidence = model == RoundingModel::worst_case ? 0 : confidence_factor(statements, default_case_risk);
  return bound;
}

}  // namespace assay::inline v0
