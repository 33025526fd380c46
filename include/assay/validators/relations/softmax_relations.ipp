#pragma once

#include "assay/validators/relations/softmax_relations.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> softmax_relative_errors(const SoftmaxProblem& problem,
                                                                       const std::vector<double>& x,
                                                                       const Arithmetic& arithmetic) {
  const SoftmaxBound bound = SoftmaxBound::of(problem, RoundingModel::worst_case, arithmetic);
  std::vector<double> errors;
  for (Index row = 0; row < problem.outer * problem.inner; ++row) {
    double least = 0x1p1000, most = -0x1p1000;
    for (Index j = 0; j < problem.length; ++j) {
      const double z = x[static_cast<std::size_t>((row / problem.inner * problem.length + j) * problem.inner +
                                                  row % problem.inner)] /
                       problem.temperature;
      least = std::fmin(least, z);
      most = std::fmax(most, z);
    }
    const double range = std::fmin(most - least, 200.0),
                 scaling = problem.temperature == 1 ? 0 : 2 * bound.unit * std::fmax(std::fabs(least), std::fabs(most));
    errors.push_back(std::expm1(2 * (2 * bound.unit * range + bound.function_error + scaling) + bound.growth +
                                bound.rescaling + bound.unit * range + bound.function_error));
  }
  return errors;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<RelatedValues> related_softmax(const RelatedLaunch<Softmax>& first,
                                                                      const RelatedLaunch<Softmax>& second,
                                                                      std::vector<double> due,
                                                                      const Arithmetic& arithmetic) {
  RelatedValues values{"output", second.operands[Softmax::output], std::move(due), {}};
  const SoftmaxProblem& problem = first.problem;
  const std::vector<double> errors = softmax_relative_errors(problem, first.operands[Softmax::input], arithmetic),
                            others = softmax_relative_errors(problem, second.operands[Softmax::input], arithmetic);
  for (Index e = 0; e < static_cast<Index>(values.due.size()); ++e) {
    const auto row = static_cast<std::size_t>(e / (problem.length * problem.inner) * problem.inner + e % problem.inner);
    const double share = errors[row] + others[row];
    const double size = std::fmax(std::fabs(values.due[static_cast<std::size_t>(e)]),
                                  std::fabs(values.found[static_cast<std::size_t>(e)])),
                 u = problem.output.unit_roundoff();
    values.allowed.push_back(size * (share * (1 + 2 * u) + 2 * u) + problem.output.min_subnormal() +
                             4 * arithmetic.accumulation.min_subnormal);
  }
  return {values};
}

}  // namespace assay::inline v0::detail
