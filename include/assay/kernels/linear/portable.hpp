#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/linear/activation.hpp"
#include "assay/kernels/linear/reader.hpp"

namespace assay::inline v0 {

/// One output of a linear layer in single precision (8-bit integers: in 32 bits), terms in ascending order.
struct PortableLinearElement {
  LinearProblem problem;
  LinearReader a, b;
  Operand offsets, bias, residual, whole_scales, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index), row = element / problem.n, column = element % problem.n;
    Index group = 0;
    while (group + 1 < problem.groups && static_cast<double>(row) >= offsets.load(group + 1)) ++group;
    if (problem.is_integer() && !problem.has_epilogue()) return output.store(element, integer_sum(group, row, column));
    float result = activate(problem.activation, before_activation(group, row, column));
    if (problem.activation == LinearActivation::swiglu) result *= before_activation(group, row, problem.n + column);
    if (residual.present()) result += static_cast<float>(residual.load(element));
    if (!problem.output_scaled) return output.store(element, result);
    const double quantized = result / static_cast<float>(whole_scales.load(2));
    const ElementFormat format = output.format;
    format.store_code(output.data, output.offset_of(element),
                      format.encode(quantized, Rounding::nearest_even, Overflow::saturate));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION double integer_sum(Index group, Index row, Index column) const {
    std::int32_t sum = 0;
    for (Index term = 0; term < problem.k; ++term)
      sum += static_cast<std::int32_t>(a(0, row, term)) * static_cast<std::int32_t>(b(group, column, term));
    return sum;
  }
  [[nodiscard]] ASSAY_FUNCTION float before_activation(Index group, Index row, Index column) const {
    float sum = 0;
    if (problem.is_integer()) {
      sum = static_cast<float>(integer_sum(group, row, column));
    } else {
      for (Index first = 0, last = 0; first < problem.k; first = last) {  // codes with the same two scales
        last = a.end_of_block(first) < b.end_of_block(first) ? a.end_of_block(first) : b.end_of_block(first);
        float partial = 0;
        for (Index term = first; term < last; ++term)
          partial += static_cast<float>(a.code(0, row, term)) * static_cast<float>(b.code(group, column, term));
        sum += problem.b.is_block_scaled()
                   ? partial * static_cast<float>(a.factor(0, row, first) * b.factor(group, column, first))
                   : partial;
      }
    }
    sum *= static_cast<float>(a.vector_scale(0, row));
    sum *= static_cast<float>(b.vector_scale(group, column));
    return bias.present() ? sum + static_cast<float>(bias.load(column)) : sum;
  }
};

/// A linear layer for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_linear(B& backend, typename B::Stream& stream, const LinearProblem& problem,
                                           const OperandArray& operands) {
  using Position = LinearOperands;
  const PortableLinearElement work{problem,
                                   LinearReader::of_a(problem, operands),
                                   LinearReader::of_b(problem, operands),
                                   operands[Position::offsets],
                                   operands[Position::bias],
                                   operands[Position::residual],
                                   operands[Position::whole_scales],
                                   operands[Position::output]};
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.m * problem.n), work);
}

}  // namespace assay::inline v0
