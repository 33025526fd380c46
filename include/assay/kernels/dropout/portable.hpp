#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/dropout/problem.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0 {

/// One element: kept where a uniform number of 32 bits, a pure function of seed and position, is at least the rate.
struct PortableDropout {
  DropoutProblem problem;
  Operand input, gradient, output, mask, input_gradient;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index i = static_cast<Index>(index);
    const double uniform =
        static_cast<double>(random_bits(problem.seed, static_cast<std::uint64_t>(index), 0).words[0]) * 0x1p-32;
    const bool kept = uniform >= problem.rate;
    const float scale = problem.rate < 1 ? 1 / (1 - static_cast<float>(problem.rate)) : 0;
    output.store(i, kept ? static_cast<float>(input.load(i)) * scale : 0);
    if (problem.gives_mask) mask.store(i, kept ? 1 : 0);
    if (problem.with_gradient) input_gradient.store(i, kept ? static_cast<float>(gradient.load(i)) * scale : 0);
  }
};

/// A dropout for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_dropout(B& backend, typename B::Stream& stream, const DropoutProblem& problem,
                                            const OperandArray& operands) {
  return backend.parallel_for(
      stream, static_cast<std::size_t>(problem.rows * problem.columns),
      PortableDropout{problem, operands[0], operands[1], operands[2], operands[3], operands[4]});
}

}  // namespace assay::inline v0
