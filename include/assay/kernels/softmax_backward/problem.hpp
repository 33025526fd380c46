#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// The gradient of softmax(x / temperature), or of its logarithm, along the middle one of three dimensions, from the
/// saved output y and the gradient dy: dx = y·(dy − Σ y·dy)/temperature, or (dy − exp(y)·Σ dy)/temperature.
struct SoftmaxBackwardProblem {
  Index outer = 1;   ///< extents before the axis, multiplied
  Index length = 1;  ///< of the dimension that is normalized
  Index inner = 1;   ///< extents behind the axis, multiplied
  double temperature = 1;
  bool logarithm = false;
  ElementFormat saved = element_format<float32>();     ///< of y
  ElementFormat gradient = element_format<float32>();  ///< of dy
  ElementFormat output = element_format<float32>();    ///< of dx
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(SoftmaxBackwardProblem& problem, Visit&& visit) {
  visit("outer", problem.outer, "length", problem.length, "inner", problem.inner, "temperature", problem.temperature,
        "logarithm", problem.logarithm, "saved", problem.saved, "gradient", problem.gradient, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const SoftmaxBackwardProblem& problem) {
  if (auto extents = check_extents({{"outer", problem.outer}, {"length", problem.length}, {"inner", problem.inner}});
      !extents)
    return extents;
  if (!(problem.temperature > 0) || !is_finite(problem.temperature))
    return failure(ErrorKind::invalid,
                   "temperature is " + detail::printed_number(problem.temperature) + "; it must be finite and above 0");
  return check_float_formats({{"saved", problem.saved}, {"gradient", problem.gradient}, {"output", problem.output}});
}

/// "4x1000x1-log-t0.7".
[[nodiscard]] inline std::string name_of(const SoftmaxBackwardProblem& problem) {
  std::string name = extents_name({problem.outer, problem.length, problem.inner});
  if (problem.logarithm) name += "-log";
  if (problem.temperature != 1) name += "-t" + plain_number(problem.temperature);
  return name;
}

}  // namespace assay::inline v0
