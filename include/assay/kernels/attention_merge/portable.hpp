#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/attention_merge/reference.hpp"

namespace assay::inline v0 {

/// One row in single precision: the largest log-sum-exp, weights, quotients.
struct PortableAttentionMergeRow {
  AttentionMergeProblem problem;
  Operand outputs, logarithms, output, log_sum_exp;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
    const float infinity = static_cast<float>(AttentionBound::infinity());
    float maximum = -infinity, sum = 0;
    for (Index part = 0; part < problem.parts; ++part) {
      const float own = logarithm_of(part, row);
      if (own > maximum || is_nan(own)) maximum = own;
    }
    const bool nothing = maximum == -infinity;
    for (Index part = 0; part < problem.parts && !nothing; ++part) sum += std::exp(logarithm_of(part, row) - maximum);
    const float log_of_base = problem.log_base == LogarithmBase::two ? 0.693147181F : 1;
    log_sum_exp.store(row, nothing ? -infinity : (maximum + std::log(sum)) / log_of_base);
    for (Index c = 0; c < problem.value_depth; ++c) {
      float product = 0;
      for (Index part = 0; part < problem.parts && !nothing; ++part) {
        const float own = logarithm_of(part, row);
        if (own != -infinity) product += std::exp(own - maximum) * static_cast<float>(outputs.at(part, row, c));
      }
      output.store(row * problem.value_depth + c,
                   nothing ? (problem.fully_masked == FullyMasked::zeros ? 0 : infinity - infinity) : product / sum);
    }
  }

 private:
  /// The natural one.
  [[nodiscard]] ASSAY_FUNCTION float logarithm_of(Index part, Index row) const {
    const float stored = static_cast<float>(logarithms.at(part, row));
    return problem.log_base == LogarithmBase::two ? stored * 0.693147181F : stored;
  }
};

/// A merge for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_attention_merge(B& backend, typename B::Stream& stream,
                                                    const AttentionMergeProblem& problem,
                                                    const OperandArray& operands) {
  using Position = AttentionMergeOperand;
  return backend.parallel_for(
      stream, static_cast<std::size_t>(problem.rows),
      PortableAttentionMergeRow{problem, operands[Position::partial_output], operands[Position::partial_log_sum_exp],
                                operands[Position::output], operands[Position::log_sum_exp]});
}

}  // namespace assay::inline v0
