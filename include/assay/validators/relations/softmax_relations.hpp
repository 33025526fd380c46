#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

namespace detail {

/// How far the results of each row may be off, relative to themselves: of a row, only the range of its elements is
/// known. See `SoftmaxBound`.
[[nodiscard]] std::vector<double> softmax_relative_errors(const SoftmaxProblem& problem, const std::vector<double>& x,
                                                          const Arithmetic& arithmetic);

/// Two runs whose elements are to be the same, each within its error and its rounding to the output.
[[nodiscard]] std::vector<RelatedValues> related_softmax(const RelatedLaunch<Softmax>& first,
                                                         const RelatedLaunch<Softmax>& second, std::vector<double> due,
                                                         const Arithmetic& arithmetic);

}  // namespace detail

/// What softmax kernels keep without a reference. Bounds follow from the range of a row alone.
template <>
struct OperationRelations<Softmax> {
  using Launch = RelatedLaunch<Softmax>;  ///< of this operation

  [[nodiscard]] static std::vector<Relation<Softmax>> all() {
    const auto plain = [](const SoftmaxProblem& problem) {
      return !problem.logarithm && !problem.masked && problem.length > 0 && problem.outer > 0 && problem.inner > 0;
    };
    Relation<Softmax> sum;
    sum.name = "sums_to_one";
    sum.statement =
        "the results of a row sum to 1, within what its exponentials, their sum and the rounding of each result may "
        "err";
    sum.blind_to =
        "results in the wrong place, wrong temperatures, and whatever else leaves a distribution a distribution";
    sum.exact = false;
    sum.holds = plain;
    sum.relate = [](const Launch& first, const Launch&, const Arithmetic& arithmetic) {
      const SoftmaxProblem& problem = first.problem;
      RelatedValues values{"the sums of rows", {}, {}, {}};
      const std::vector<double> errors =
          detail::softmax_relative_errors(problem, first.operands[Softmax::input], arithmetic);
      for (Index row = 0; row < problem.outer * problem.inner; ++row) {
        double total = 0;
        for (Index j = 0; j < problem.length; ++j)
          total += first.operands[Softmax::output][static_cast<std::size_t>(
              (row / problem.inner * problem.length + j) * problem.inner + row % problem.inner)];
        const double share = errors[static_cast<std::size_t>(row)], u = problem.output.unit_roundoff();
        values.found.push_back(total);
        values.due.push_back(1);
        values.allowed.push_back(share * (1 + u) + u +
                                 static_cast<double>(problem.length) *
                                     (problem.output.min_subnormal() / 2 + 2 * arithmetic.accumulation.min_subnormal));
      }
      return std::vector<RelatedValues>{values};
    };
    Relation<Softmax> shift;
    shift.name = "shifted";
    shift.statement = "x and x + 96, both exact, have the same softmax, within the errors of both";
    shift.blind_to = "whatever depends on differences of elements only: wrong sums, wrong places, wrong temperatures";
    shift.exact = false;
    shift.holds = plain;
    shift.prepare = [](Launch& first) {
      for (double& x : first.operands[Softmax::input])
        x = std::nearbyint(std::clamp(is_finite(x) ? x : 0, -16.0, 16.0));
    };
    shift.transform = [](const Launch& first) {
      Launch second = first;
      for (double& x : second.operands[Softmax::input]) x += 96;
      return second;
    };
    shift.relate = [](const Launch& first, const Launch& second, const Arithmetic& arithmetic) {
      return detail::related_softmax(first, second, first.operands[Softmax::output], arithmetic);
    };
    Relation<Softmax> permutation;
    permutation.name = "reversed";
    permutation.statement = "a row in reverse has its results in reverse, within the errors of both";
    permutation.blind_to =
        "whatever treats all elements of a row alike: a wrong temperature, an element of padding, narrow sums, results "
        "that are all zero";
    permutation.exact = false;
    permutation.holds = plain;
    permutation.transform = [](const Launch& first) {
      Launch second = first;
      second.operands[Softmax::input] =
          detail::reversed(first.operands[Softmax::input], first.problem.length, first.problem.inner);
      return second;
    };
    permutation.relate = [](const Launch& first, const Launch& second, const Arithmetic& arithmetic) {
      return detail::related_softmax(
          first, second, detail::reversed(first.operands[Softmax::output], first.problem.length, first.problem.inner),
          arithmetic);
    };
    return {sum, shift, permutation};
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/relations/softmax_relations.ipp"
#endif
