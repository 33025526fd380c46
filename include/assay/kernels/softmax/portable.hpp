#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/softmax/problem.hpp"

namespace assay::inline v0 {

/// One normalized row in single precision: maximum, sum, quotients.
struct PortableSoftmaxRow {
  SoftmaxProblem problem;
  Operand input, mask, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index),
                first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
    const float infinity = static_cast<float>(detail::double_of(binary64_layout.infinity_bits()));
    float maximum = -infinity, sum = 0;
    bool any_nan = false;
    for (Index j = 0; j < problem.length; ++j) {
      const float z = scaled(first + j * problem.inner);
      any_nan |= is_nan(z);
      if (z > maximum) maximum = z;
    }
    if (any_nan) maximum = -infinity + infinity;
    if (maximum == -infinity && problem.fully_masked == FullyMasked::zeros) {
      for (Index j = 0; j < problem.length; ++j)
        output.store(first + j * problem.inner, problem.logarithm ? -infinity : 0);
      return;
    }
    for (Index j = 0; j < problem.length; ++j) sum += std::exp(scaled(first + j * problem.inner) - maximum);
    const float log_sum = std::log(sum);
    for (Index j = 0; j < problem.length; ++j) {
      const Index element = first + j * problem.inner;
      const float shifted = scaled(element) - maximum;
      output.store(element, problem.logarithm ? shifted - log_sum : std::exp(shifted) / sum);
    }
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION float scaled(Index element) const {
    if (mask.present() && mask.load(element) == 0)
      return static_cast<float>(-detail::double_of(binary64_layout.infinity_bits()));
    const float x = static_cast<float>(input.load(element));
    return problem.temperature == 1 ? x : x / static_cast<float>(problem.temperature);
  }
};

/// A softmax for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_softmax(B& backend, typename B::Stream& stream, const SoftmaxProblem& problem,
                                            const OperandArray& operands) {
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                              PortableSoftmaxRow{problem, operands[0], operands[1], operands[2]});
}

}  // namespace assay::inline v0
