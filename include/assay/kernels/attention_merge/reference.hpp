#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/kernels/attention/reference.hpp"
#include "assay/kernels/attention_merge/problem.hpp"

namespace assay::inline v0 {

/// The operands of a merge, by position.
struct AttentionMergeOperand {
  /// Positions of the operands.
  enum Position { partial_output, partial_log_sum_exp, output, log_sum_exp, count };
};

/// The bound of an attention whose scores are the L_p, known exactly, and whose values are the parts' outputs; kernels
/// that merge one part after another round the log-sum-exp so far each time: (parts − 1)·(2ε + 6u + 2u·(|m| + log l))
/// stand in the place of R·(ε + u) in what all terms of a row share.
[[nodiscard]] inline AttentionBound attention_merge_bound(const AttentionMergeProblem& problem, RoundingModel model,
                                                          const Arithmetic& arithmetic) {
  AttentionProblem attention;
  attention.heads = attention.key_heads = problem.rows;
  attention.keys = problem.parts;
  attention.depth = 1;
  attention.value_depth = problem.value_depth;
  AttentionBound bound = AttentionBound::of(attention, model, arithmetic);
  bound.online = false;
  if (problem.log_base == LogarithmBase::two) bound.log_scale = 1 / std::log(2.0);
  return bound;
}

/// One row. O(parts·value_depth).
struct AttentionMergeRow {
  AttentionMergeProblem problem;
  Operand outputs, logarithms;
  AttentionBound bound;
  AttentionResults results;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
    AttentionScan scan;
    for (Index part = 0; part < problem.parts; ++part) scan.meet(logarithm_of(part, row));
    if (!scan.void_row()) {
      for (Index part = problem.parts - 1; part >= 0; --part) {
        scan.meet_again(logarithm_of(part, row));
        scan.add(scan.term(bound, {logarithm_of(part, row), 0, 0}));
      }
      scan.finish(bound, problem.parts);
      const double chain = static_cast<double>(problem.parts - 1) *
                           (2 * bound.function_error + 6 * bound.unit +
                            2 * bound.unit * (detail::absolute(scan.maximum) + std::log(scan.sum)));
      scan.shared += chain;
      scan.denominator += chain;
    }
    for (Index c = 0; c < problem.value_depth; ++c) {
      double product = 0, allowed = 0, largest = 0;
      for (Index part = 0; part < problem.parts && !scan.void_row(); ++part) {
        const double logarithm = logarithm_of(part, row), v = outputs.at(part, row, c);
        if (logarithm == -AttentionBound::infinity()) continue;
        const AttentionTerm term = scan.term(bound, {logarithm, 0, 0});
        if (!is_finite(v)) {
          meet_special(v, scan.weight(term), bound, product, allowed);
          continue;
        }
        product += scan.weight(term) * v;
        allowed += scan.allowance(bound, term) * detail::absolute(v);
        if (detail::absolute(v) > largest) largest = detail::absolute(v);
      }
      const ExpectedElement element =
          scan.output(bound, problem.fully_masked == FullyMasked::zeros, product, allowed, 0, scan.sum * largest);
      results.value[row * problem.value_depth + c] = element.value;
      results.error[row * problem.value_depth + c] = element.error;
    }
    const ExpectedElement sum = scan.log_sum_exp(bound);
    results.sum_value[row] = sum.value;
    results.sum_error[row] = sum.error;
  }

 private:
  /// The natural one.
  [[nodiscard]] ASSAY_FUNCTION double logarithm_of(Index part, Index row) const {
    const double stored = logarithms.at(part, row);
    return problem.log_base == LogarithmBase::two ? stored * 0.69314718055994530942 : stored;
  }
};

/// O(parts·rows·value_depth) time, 16 bytes an output.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<AttentionExpected>> attention_merge_reference(
    B& backend, typename B::Stream& stream, const AttentionMergeProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  const auto rows = static_cast<std::size_t>(problem.rows),
             elements = rows * static_cast<std::size_t>(problem.value_depth);
  auto buffer = backend.template allocate<double>(2 * (rows + elements) + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<double>>(std::move(buffer).value());
  double* memory = owned->data();
  const AttentionResults results{memory, memory + elements, memory + 2 * elements, memory + 2 * elements + rows};
  const AttentionMergeRow work{problem, operands[AttentionMergeOperand::partial_output],
                               operands[AttentionMergeOperand::partial_log_sum_exp],
                               attention_merge_bound(problem, model, arithmetic), results};
  if (auto run = backend.parallel_for(stream, rows, work); !run) return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return OperationReference<AttentionExpected>{{results, problem.value_depth, problem.rows}, owned};
}

}  // namespace assay::inline v0
