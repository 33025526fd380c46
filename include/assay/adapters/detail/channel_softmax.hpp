#pragma once

#include <climits>
#include <string>

#include "assay/kernels/softmax/softmax.hpp"

namespace assay::inline v0::detail {

/// A tensor of (outer, length, inner) as (images, channels, rows, 1) in 32 bits: libraries of neural networks normalise over channels.
struct FourDimensions {
  int extents[4] = {1, 1, 1, 1};
  int strides[4] = {1, 1, 1, 1};
};

[[nodiscard]] inline FourDimensions four_dimensions(const Operand& operand) {
  FourDimensions of;
  for (int d = 0; d < operand.rank && d < 3; ++d) of.extents[d] = static_cast<int>(operand.extents[d]);
  for (int d = 3; d >= 0; --d)
    of.strides[d] = d < operand.rank ? static_cast<int>(operand.strides[d]) : d == 3 ? 1 : of.strides[d + 1] * of.extents[d + 1];
  return of;
}

/// Why such a library cannot be asked for a softmax, or nothing. Formats are the library's own matter, but for there being one.
[[nodiscard]] inline std::string channel_softmax_refusal(const std::string& library, const SoftmaxProblem& problem,
                                                         const OperandArray& operands) {
  if (problem.masked) return library + "'s softmax has no mask";
  if (problem.temperature != 1) return library + "'s softmax has no temperature";
  if (!(problem.input == problem.output))
    return library + "'s softmax has one format, not " + problem.input.name + " and " + problem.output.name;
  if (problem.outer == 0 || problem.length == 0 || problem.inner == 0) return library + " has no tensors without elements";
  for (const int position : {Softmax::input, Softmax::output}) {
    const Operand& operand = operands[position];
    Index reach = 1;
    for (int d = 0; d < operand.rank; ++d) {
      if (operand.strides[d] < 0) return library + " has no negative strides";
      if (operand.extents[d] > INT_MAX || operand.strides[d] > INT_MAX)
        return library + "'s softmax counts in 32 bits; an extent or stride is " +
               std::to_string(operand.extents[d] > INT_MAX ? operand.extents[d] : operand.strides[d]);
      reach += (operand.extents[d] - 1) * operand.strides[d];
    }
    if (reach > INT_MAX) return library + "'s softmax counts in 32 bits; a tensor reaches over " + std::to_string(reach) + " elements";
  }
  return "";
}

}  // namespace assay::inline v0::detail
