#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// y = x / max(‖x‖₂, ε) along the middle one of three dimensions.
struct L2NormalizeProblem {
  Index outer = 1;                                   ///< extents before the axis, multiplied
  Index length = 1;                                  ///< of the dimension that is normalized
  Index inner = 1;                                   ///< extents behind the axis, multiplied
  double epsilon = 1e-12;                            ///< the least that is divided by
  ElementFormat input = element_format<float32>();   ///< of x
  ElementFormat output = element_format<float32>();  ///< of y
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(L2NormalizeProblem& problem, Visit&& visit) {
  visit("outer", problem.outer, "length", problem.length, "inner", problem.inner, "epsilon", problem.epsilon, "input",
        problem.input, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const L2NormalizeProblem& problem) {
  if (auto extents = check_extents({{"outer", problem.outer}, {"length", problem.length}, {"inner", problem.inner}});
      !extents)
    return extents;
  if (!(problem.epsilon > 0) || !is_finite(problem.epsilon))
    return failure(ErrorKind::invalid,
                   "epsilon is " + detail::printed_number(problem.epsilon) + "; it must be finite and above 0");
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

/// "4x1000x1-e0.5".
[[nodiscard]] inline std::string name_of(const L2NormalizeProblem& problem) {
  std::string name = extents_name({problem.outer, problem.length, problem.inner});
  if (problem.epsilon != 1e-12) name += "-e" + plain_number(problem.epsilon);
  return name;
}

}  // namespace assay::inline v0
