#pragma once

#include "assay/kernels/gemm/gemm.hpp"
#include "assay/validators/detail/operand_of.hpp"

namespace assay::inline v0::detail {

/// The matrices of a product as operands whose formats are data, and back.
template <class A, class B, class C>
[[nodiscard]] OperandArray operands_of(const GemmArguments<A, B, C>& arguments) {
  OperandArray operands;
  operands.count = 3;
  operands[0] = operand_of(arguments.a);
  operands[1] = operand_of(arguments.b);
  operands[2] = operand_of(arguments.c);
  return operands;
}
template <class Op>
[[nodiscard]] typename Op::Arguments arguments_of(const OperandArray& operands) {
  return {operands[0].template view<const typename Op::FormatA, 3>(),
          operands[1].template view<const typename Op::FormatB, 3>(),
          operands[2].template view<typename Op::FormatC, 3>()};
}

}  // namespace assay::inline v0::detail
