#pragma once

#include <cstdint>
#include <string>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// output = x·mask/(1 − rate), where each element of the mask is 0 with probability `rate`, else 1, by a generator of
/// the kernel's own.
struct DropoutProblem {
  Index rows = 1;     ///< extent
  Index columns = 1;  ///< extent
  double rate = 0.1;
  std::uint64_t seed = 1;   ///< of the kernel's generator
  bool gives_mask = false;  ///< the mask is an output, in bytes of 0 and 1
  bool with_gradient =
      false;  ///< input_gradient = gradient·mask/(1 − rate), with the mask of the forward pass, is an output, too
  ElementFormat input = element_format<float32>();  ///< storage format of input and gradient
  ElementFormat output = element_format<float32>();
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(DropoutProblem& problem, Visit&& visit) {
  visit("rows", problem.rows, "columns", problem.columns, "rate", problem.rate, "seed", problem.seed, "gives_mask",
        problem.gives_mask, "with_gradient", problem.with_gradient, "input", problem.input, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const DropoutProblem& problem) {
  if (auto extents = check_extents({{"rows", problem.rows}, {"columns", problem.columns}}); !extents) return extents;
  if (!(problem.rate >= 0) || !(problem.rate <= 1))
    return failure(ErrorKind::invalid, "rate is " + plain_number(problem.rate) + "; it must be from 0 to 1");
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

/// "512x512-p0.1-mask-gradient".
[[nodiscard]] inline std::string name_of(const DropoutProblem& problem) {
  std::string name = extents_name({problem.rows, problem.columns}) + "-p" + plain_number(problem.rate);
  if (problem.gives_mask) name += "-mask";
  if (problem.with_gradient) name += "-gradient";
  return name;
}

}  // namespace assay::inline v0
