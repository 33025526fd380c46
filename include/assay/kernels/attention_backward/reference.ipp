#pragma once

#include "assay/kernels/attention_backward/reference.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE AttentionGradientBound AttentionGradientBound::of(const AttentionProblem& problem,
                                                                             RoundingModel model,
                                                                             const Arithmetic& arithmetic) {
  AttentionGradientBound bound;
  bound.forward = AttentionBound::of(problem, model, arithmetic);
  const double statements = AttentionBound::statements_of(problem);
  Index queries = problem.storage == AttentionStorage::packed ? 0 : problem.queries;
  for (const Index length : problem.query_lengths) queries = queries > length ? queries : length;
  if (problem.key_heads > 0) queries *= problem.heads / problem.key_heads;
  const Index keys = AttentionBound::longest_row(problem);
  const auto growth = [&](Index terms) {
    return growth_factor(terms, statements, arithmetic.accumulation, model).value +
           static_cast<double>(terms) * 0x1p-53;
  };
  bound.growth_values = growth(problem.value_depth);
  bound.growth_keys = growth(keys);
  bound.growth_queries = positive_growth_factor(queries, statements, arithmetic.accumulation, model).value +
                         static_cast<double>(queries) * 0x1p-53;
  bound.output_unit = problem.output.unit_roundoff() > arithmetic.unit_roundoff() ? problem.output.unit_roundoff()
                                                                                  : arithmetic.unit_roundoff();
  bound.output_underflow = problem.output.min_subnormal() / 2;
  const double scale = AttentionLayout(problem, {}).scale, stored = problem.weights.max_finite(),
               kept = bound.forward.largest;
  bound.largest_change = (stored < kept ? stored : kept) / (scale > 1 ? scale : 1);
  return bound;
}

}  // namespace assay::inline v0
