#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/rotary_embedding/problem.hpp"

namespace assay::inline v0 {

/// One head of one token in single precision; its angles in double precision where exact ones are promised.
struct PortableRotaryEmbedding {
  RotaryEmbeddingProblem problem;
  Operand input, positions, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index), token = row / problem.heads, first = row * problem.dimension;
    const double position = problem.given_positions ? positions.load(token)
                                                    : static_cast<double>(problem.offset + token % problem.sequence);
    for (Index column = 0; column < problem.dimension; ++column) {
      const float own = static_cast<float>(input.load(first + column));
      if (column >= problem.rotary_dimension) {
        output.store(first + column, input.load(first + column));
        continue;
      }
      const float other = static_cast<float>(input.load(first + problem.partner(column)));
      const double exponent =
          -2 * static_cast<double>(problem.pair(column)) / static_cast<double>(problem.rotary_dimension);
      float cosine, sine;
      if (problem.angles == AngleArithmetic::exact) {
        const double angle = position * problem.position_scale * std::pow(problem.base, exponent);
        cosine = static_cast<float>(std::cos(angle));
        sine = static_cast<float>(std::sin(angle));
      } else {
        const float angle = static_cast<float>(position) * static_cast<float>(problem.position_scale) *
                            std::pow(static_cast<float>(problem.base), static_cast<float>(exponent));
        cosine = std::cos(angle);
        sine = std::sin(angle);
      }
      if (problem.rounded_tables) {
        cosine = static_cast<float>(problem.output.round(static_cast<double>(cosine)));
        sine = static_cast<float>(problem.output.round(static_cast<double>(sine)));
      }
      output.store(first + column, problem.is_first(column) != problem.inverse ? own * cosine - other * sine
                                                                               : own * cosine + other * sine);
    }
  }
};

/// A rotary embedding for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_rotary_embedding(B& backend, typename B::Stream& stream,
                                                     const RotaryEmbeddingProblem& problem,
                                                     const OperandArray& operands) {
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.batch * problem.sequence * problem.heads),
                              PortableRotaryEmbedding{problem, operands[0], operands[1], operands[2]});
}

}  // namespace assay::inline v0
