#pragma once

#include <cstdint>
#include <memory>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/kernels/detail/approximate_elements.hpp"
#include "assay/kernels/detail/paired_elements.hpp"
#include "assay/kernels/detail/row_singles.hpp"
#include "assay/kernels/elementwise/detail/approximate_pairs.hpp"
#include "assay/kernels/elementwise/detail/paired_logistic.hpp"
#include "assay/kernels/elementwise/detail/vector_elements.hpp"
#include "assay/kernels/elementwise/formula.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// Where the element of an operand that may be repeated lies.
struct BroadcastOffset {
  Index strides[ElementwiseProblem::most_dimensions] = {0, 0, 0, 0};  ///< 0 along dimensions in which it is repeated

  BroadcastOffset() = default;
  /// The strides of an operand that is broadcast to the output's extents.
  ASSAY_FUNCTION explicit BroadcastOffset(const Operand& operand) {
    for (int d = 0; d < operand.rank && d < ElementwiseProblem::most_dimensions; ++d)
      strides[d] = operand.extents[d] == 1 ? 0 : operand.strides[d];
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

  /// The value that operand gives for an element of the output.
  [[nodiscard]] ASSAY_FUNCTION double load(int operand, Index row, Index column) const {
    return operand < formula.problem.inputs()
               ? inputs[operand].format.load(inputs[operand].data, offsets[operand](formula.problem, row, column))
               : 0;
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return formula(load(0, row, column), load(1, row, column), load(2, row, column));
  }

  [[nodiscard]] bool error_free() const { return formula.error_free(); }

  /// See `CodeExpectation`.
  [[nodiscard]] int code_bytes() const {
    const bool alone =
        formula.problem.inputs() == 1 && formula.problem.rank > 0 && offsets[0].strides[formula.problem.rank - 1] == 1;
    return alone && inputs[0].format.bytes <= 2 ? inputs[0].format.bytes : 0;
  }
  [[nodiscard]] const void* codes(Index row, Index column) const {
    return static_cast<const char*>(inputs[0].data) + offsets[0](formula.problem, row, column) * inputs[0].format.bytes;
  }
  void expected_of_codes(Index first, Index count, double* value, double* error) const {
    std::uint8_t bytes[2 * expected_block_columns];
    for (Index i = 0; i < count; ++i) inputs[0].format.store_code(bytes, i, static_cast<std::uint64_t>(first + i));
    ElementwiseExpected own = *this;
    own.inputs[0].data = bytes;
    own.inputs[0].rank = own.formula.problem.rank = 1;
    own.inputs[0].extents[0] = own.formula.problem.extents[0] = count;
    own.inputs[0].strides[0] = own.offsets[0].strides[0] = 1;
    own.expected_block(0, 0, count, value, error);
  }

  /// See `BlockExpectation`.
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    Index starts[3] = {0, 0, 0}, steps[3] = {0, 0, 0};
    for (int i = 0; i < formula.problem.inputs(); ++i) {
      starts[i] = offsets[i](formula.problem, row, first);
      steps[i] = formula.problem.rank > 0 ? offsets[i].strides[formula.problem.rank - 1] : 0;
    }
    Index done = 0;
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (count >= 8 && on_vectors(steps)) done = vector_block(starts, count, value, error);
#endif
    for (Index column = done; column < count; ++column) {
      double operand[3] = {0, 0, 0};
      for (int i = 0; i < formula.problem.inputs(); ++i)
        operand[i] = inputs[i].format.load(inputs[i].data, starts[i] + column * steps[i]);
      const ExpectedElement element = formula(operand[0], operand[1], operand[2]);
      value[column] = element.value;
      error[column] = element.error;
    }
  }

#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// See `ApproximateExpectation`: sums, differences and products of operands of 16 bits, which are singles.
  [[nodiscard]] ApproximationError approximate_block(Index row, Index first, Index count, float* value,
                                                     float* error) const {
    using enum ElementwiseFunction;
    const ElementwiseProblem& problem = formula.problem;
    if (problem.inputs() != 2 || problem.rank == 0 || inputs[0].format.bytes != 2 ||
        !(inputs[0].format == inputs[1].format))
      return {};
    const Index steps[3] = {offsets[0].strides[problem.rank - 1], offsets[1].strides[problem.rank - 1], 1};
    if (!on_vectors(steps)) return {};
    const auto with = [&]<ElementwiseFunction function, class T>(T) {
      const double unit = formula.one_rounding ? 0 : formula.arithmetic.unit,
                   underflow = formula.one_rounding ? 0 : formula.arithmetic.underflow;
      const detail::ApproximatePairs<T, function> pairs{
          static_cast<const T*>(inputs[1].data) + offsets[1](problem, row, first), static_cast<float>(unit),
          static_cast<float>(underflow)};
      detail::approximate_elements(inputs[0], offsets[0](problem, row, first), count, value, error, pairs);
    };
    const auto by_format = [&]<ElementwiseFunction function>() {
      if (inputs[0].format.layout == FormatTraits<bfloat16>::layout)
        with.template operator()<function>(bfloat16{});
      else
        with.template operator()<function>(float16{});
      return ApproximationError{0, 0};
    };
    switch (problem.function) {
      case add: return by_format.template operator()<add>();
      case subtract: return by_format.template operator()<subtract>();
      case multiply: return by_format.template operator()<multiply>();
      default: return {};
    }
  }
  /// See `PairedExpectation`: of σ, silu and gelu_tanh.
  [[nodiscard]] ApproximationError paired_block(Index row, Index first, Index count, float* value, float* rest,
                                                float* error) const {
    using enum ElementwiseFunction;
    const ElementwiseProblem& problem = formula.problem;
    const BoundedArithmetic& f = formula.arithmetic;
    if (problem.inputs() != 1 || problem.rank == 0 || !(f.largest > 0x1p120) || !(f.function_error < 0x1p-4) ||
        !(f.unit < 0x1p-4))
      return {};
    const Index steps[3] = {offsets[0].strides[problem.rank - 1], 1, 1};
    if (!on_vectors(steps) || !detail::tells_pairs(inputs[0], problem.extents[problem.rank - 1])) return {};
    const auto with = [&]<ElementwiseFunction function>() -> ApproximationError {
      const detail::PairedLogistic<function> elements{static_cast<float>(f.unit), static_cast<float>(f.function_error),
                                                      static_cast<float>(f.underflow)};
      const float* const from = static_cast<const float*>(inputs[0].data) + offsets[0](problem, row, first);
      if (!detail::paired_elements(from, count, {value, rest, error}, elements)) return {};
      return {0, detail::PairedLogistic<function>::error};
    };
    switch (problem.function) {
      case sigmoid: return with.template operator()<sigmoid>();
      case silu: return with.template operator()<silu>();
      case gelu_tanh: return with.template operator()<gelu_tanh>();
      default: return {};
    }
  }
#endif

 private:
#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// Vectors make 0 of what 10⁻³⁰⁰ is, and know nothing of results that the output holds and the accumulator does not.
  [[nodiscard]] bool on_vectors(const Index (&steps)[3]) const {
    if (formula.problem.backward || !detail::VectorElements::knows(formula.problem.function) ||
        !(formula.arithmetic.underflow > 1e-300) || formula.arithmetic.largest < formula.output_largest)
      return false;
    for (int i = 0; i < formula.problem.inputs(); ++i)
      if (steps[i] != 1 || !detail::has_rows_of_singles(inputs[i])) return false;
    return true;
  }
  /// How many were computed: all of them, or none where one of them is special.
  [[nodiscard]] Index vector_block(const Index (&starts)[3], Index count, double* value, double* error) const {
    float buffers[2][detail::most_singles];
    const BoundedArithmetic& f = formula.arithmetic;
    const bool two = formula.problem.inputs() > 1;
    const detail::VectorElements elements{formula.problem.function,
                                          detail::row_singles(inputs[0], starts[0], count, buffers[0]),
                                          two ? detail::row_singles(inputs[1], starts[1], count, buffers[1]) : nullptr,
                                          f.unit,
                                          f.function_error,
                                          f.underflow,
                                          f.largest,
                                          formula.one_rounding,
                                          value,
                                          error};
    std::ptrdiff_t done = 0;
    const std::ptrdiff_t all = count;
    bool all_finite = true;
    detail::run_variant<detail::VectorElements::Body>(instruction_set(), all, done, all_finite, elements);
    return all_finite ? done : 0;
  }
#endif
};

/// The reference, which reads the operands where they are; O(1) memory.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ElementwiseExpected>> elementwise_reference(B&, typename B::Stream&,
                                                                                    const ElementwiseProblem& problem,
                                                                                    const OperandArray& operands,
                                                                                    RoundingModel,
                                                                                    const Arithmetic& arithmetic) {
  ElementwiseExpected expected;
  expected.formula = ElementwiseFormula(problem, arithmetic);
  for (int i = 0; i < problem.inputs(); ++i) {
    expected.inputs[i] = operands[i];
    expected.offsets[i] = BroadcastOffset(operands[i]);
  }
  return OperationReference<ElementwiseExpected>{expected, nullptr};
}

}  // namespace assay::inline v0
