#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What a row without any unmasked element becomes, and one of −∞ throughout.
enum class FullyMasked {
  nan,   ///< 0/0, as the formula says
  zeros  ///< as attention kernels have it
};

/// y = softmax(x / temperature) or its logarithm along the middle one of three dimensions (outer, length, inner).
struct SoftmaxProblem {
  Index outer = 1;
  Index length = 1;  ///< of the dimension that is normalized
  Index inner = 1;
  double temperature = 1;
  bool logarithm = false;
  bool masked = false;  ///< there is a mask of the same extents: elements where it is 0 count as −∞, whatever they are
  FullyMasked fully_masked = FullyMasked::nan;
  ElementFormat input = element_format<float32>();   ///< storage format of the input
  ElementFormat output = element_format<float32>();  ///< storage format of the output
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(SoftmaxProblem& problem, Visit&& visit) {
  visit("outer", problem.outer, "length", problem.length, "inner", problem.inner, "temperature", problem.temperature,
        "logarithm", problem.logarithm, "masked", problem.masked, "fully_masked", problem.fully_masked, "input",
        problem.input, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const SoftmaxProblem& problem) {
  if (auto extents = check_extents({{"outer", problem.outer}, {"length", problem.length}, {"inner", problem.inner}});
      !extents)
    return extents;
  if (!(problem.temperature > 0) || !is_finite(problem.temperature))
    return failure(ErrorKind::invalid,
                   "temperature is " + detail::printed_number(problem.temperature) + "; it must be finite and above 0");
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

/// Whether exp x of a subnormal x of that format is another number than 1 in float32: of the others no softmax shows
/// whether they are flushed.
[[nodiscard]] inline bool exponential_tells_subnormals(const ElementFormat& format) {
  return format.is_float() && format.layout.min_exponent() > -24;
}

/// "4x1000x1-log-masked".
[[nodiscard]] inline std::string name_of(const SoftmaxProblem& problem) {
  std::string name = extents_name({problem.outer, problem.length, problem.inner});
  if (problem.logarithm) name += "-log";
  if (problem.temperature != 1) name += "-t" + plain_number(problem.temperature);
  if (problem.masked) name += "-masked";
  if (problem.fully_masked == FullyMasked::zeros) name += problem.masked ? "_zeros" : "-zeros";
  return name;
}

}  // namespace assay::inline v0
