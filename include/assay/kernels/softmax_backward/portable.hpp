#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/softmax_backward/problem.hpp"

namespace assay::inline v0 {

/// The gradient of one normalized row in single precision.
struct PortableSoftmaxBackwardRow {
  SoftmaxBackwardProblem problem;
  Operand saved, gradient, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index),
                first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
    const auto temperature = static_cast<float>(problem.temperature);
    float sum = 0;
    for (Index j = 0; j < problem.length; ++j) {
      const Index element = first + j * problem.inner;
      sum += static_cast<float>(gradient.load(element)) *
             (problem.logarithm ? 1 : static_cast<float>(saved.load(element)));
    }
    for (Index j = 0; j < problem.length; ++j) {
      const Index element = first + j * problem.inner;
      const float y = static_cast<float>(saved.load(element)), dy = static_cast<float>(gradient.load(element));
      const float dx = problem.logarithm ? dy - std::exp(y) * sum : y * (dy - sum);
      output.store(element, problem.temperature == 1 ? dx : dx / temperature);
    }
  }
};

/// A softmax's gradient for any parallel backend and formats, written to be read. It is validated like everybody
/// else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_softmax_backward(B& backend, typename B::Stream& stream,
                                                     const SoftmaxBackwardProblem& problem,
                                                     const OperandArray& operands) {
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                              PortableSoftmaxBackwardRow{problem, operands[0], operands[1], operands[2]});
}

}  // namespace assay::inline v0
