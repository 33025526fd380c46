#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/l2_normalize/problem.hpp"

namespace assay::inline v0 {

/// One normalized row in single precision.
struct PortableL2NormalizeRow {
  L2NormalizeProblem problem;
  Operand input, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index),
                first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
    float squares = 0;
    for (Index j = 0; j < problem.length; ++j) {
      const auto x = static_cast<float>(input.load(first + j * problem.inner));
      squares += x * x;
    }
    const auto epsilon = static_cast<float>(problem.epsilon);
    float norm = std::sqrt(squares);
    if (norm < epsilon) norm = epsilon;
    for (Index j = 0; j < problem.length; ++j) {
      const Index element = first + j * problem.inner;
      output.store(element, static_cast<float>(input.load(element)) / norm);
    }
  }
};

/// An L2 normalization for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_l2_normalize(B& backend, typename B::Stream& stream,
                                                 const L2NormalizeProblem& problem, const OperandArray& operands) {
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                              PortableL2NormalizeRow{problem, operands[0], operands[1]});
}

}  // namespace assay::inline v0
