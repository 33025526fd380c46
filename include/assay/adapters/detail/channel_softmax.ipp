#pragma once

#include "assay/adapters/detail/channel_softmax.hpp"

#include <climits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE FourDimensions four_dimensions(const Operand& operand) {
  FourDimensions of;
  for (int d = 0; d < operand.rank && d < 3; ++d) of.extents[d] = static_cast<int>(operand.extents[d]);
  for (int d = 3; d >= 0; --d)
    of.strides[d] = d < operand.rank ? static_cast<int>(operand.strides[d])
                    : d == 3         ? 1
                                     : of.strides[d + 1] * of.extents[d + 1];
  return of;
}

ASSAY_DETAIL_HEADER_INLINE std::string channel_softmax_refusal(const std::string& library,
                                                               const SoftmaxProblem& problem,
                                                               const OperandArray& operands) {
  if (problem.masked) return library + "'s softmax has no mask";
  if (problem.temperature != 1) return library + "'s softmax has no temperature";
  if (!(problem.input == problem.output))
    return library + "'s softmax has one format, not " + problem.input.name + " and " + problem.output.name;
  if (problem.outer == 0 || problem.length == 0 || problem.inner == 0)
    return library + " has no tensors without elements";
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
    if (reach > INT_MAX)
      return library + "'s softmax counts in 32 bits; a tensor reaches over " + std::to_string(reach) + " elements";
  }
  return "";
}

}  // namespace assay::inline v0::detail
