#pragma once

#include <memory>

#include "assay/kernels/elementwise/formula.hpp"
#include "assay/kernels/operation.hpp"

namespace assay {

/// Where the element of an operand that may be repeated lies.
struct BroadcastOffset {
  Index strides[ElementwiseProblem::most_dimensions] = {0, 0, 0, 0};  ///< 0 along dimensions in which it is repeated

  BroadcastOffset() = default;
  ASSAY_FUNCTION explicit BroadcastOffset(const Operand& operand) {
    for (int d = 0; d < operand.rank && d < ElementwiseProblem::most_dimensions; ++d) strides[d] = operand.extents[d] == 1 ? 0 : operand.strides[d];
  }
  /// Of the output's element at `row`, all leading dimensions flattened, and `column`.
  [[nodiscard]] ASSAY_FUNCTION Index operator()(const ElementwiseProblem& problem, Index row, Index column) const {
    if (problem.rank == 0) return 0;
    Index offset = column * strides[problem.rank - 1];
    for (int d = problem.rank - 2; d >= 0; --d) {
      offset += row % problem.extents[d] * strides[d];
      row /= problem.extents[d];
    }
    return offset;
  }
};

/// References and bounds of an elementwise operation; nothing is stored.
struct ElementwiseExpected {
  ElementwiseFormula formula;
  Operand inputs[3];
  BroadcastOffset offsets[3];
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION double load(int operand, Index row, Index column) const {
    return operand < formula.problem.inputs() ? inputs[operand].format.load(inputs[operand].data, offsets[operand](formula.problem, row, column)) : 0;
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return formula(load(0, row, column), load(1, row, column), load(2, row, column));
  }
};

template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ElementwiseExpected>> elementwise_reference(B&, typename B::Stream&, const ElementwiseProblem& problem, const OperandArray& operands, RoundingModel,
                                                                                    const Arithmetic& arithmetic) {
  ElementwiseExpected expected;
  expected.formula = ElementwiseFormula(problem, arithmetic);
  for (int i = 0; i < problem.inputs(); ++i) {
    expected.inputs[i] = operands[i];
    expected.offsets[i] = BroadcastOffset(operands[i]);
  }
  return OperationReference<ElementwiseExpected>{expected, nullptr};
}

}  // namespace assay
