#pragma once

#include <string>
#include <vector>

#include "assay/kernels/attention/data.hpp"
#include "assay/kernels/attention/portable.hpp"
#include "assay/kernels/attention/reference.hpp"
#include "assay/kernels/attention/shapes.hpp"

namespace assay::inline v0 {

/// output = softmax(score)·value and its log-sum-exp, see `AttentionProblem`. Operands, those absent that a problem
/// does without: `query`, `key`, `value`, `additive_mask`, `slopes` (heads, float32), `query_starts` (batch + 1,
/// packed: cumulative), `key_lengths` (batch; packed: batch + 1, cumulative), `block_table` (batch, pages of a
/// sequence), `key_scale` and `value_scale` (1 or key_heads, float32), `output`, extents of the query with value_depth
/// for its depth, `log_sum_exp` (batch, heads, queries; packed: heads, tokens; float32).
///
/// Of what is allowed, right kernels reach 0.91 where weights or scores are stored in 16 bits, and 0.09 where
/// everything is float32 (nine kernels, 3,000 validations each). With a bfloat16 accumulator half of the default suite
/// cannot be decided.
struct Attention {
  using Problem = AttentionProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "attention"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) { return assay::formats_of(problem); }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// See `attention_data`; special: a query is NaN, too.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&,
                                          std::uint64_t seed) {
    OperationData data = attention_data(problem, kind, seed);
    OperandFill& query = data.operands[AttentionOperand::query];
    if (kind == FillKind::special) query = detail::attention_queries_with_nan(problem, query);
    return data;
  }
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    return attention_shapes(format);
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<AttentionExpected>> reference(B& backend, typename B::Stream& stream,
                                                                               const Problem& problem,
                                                                               const OperandArray& operands,
                                                                               RoundingModel model,
                                                                               const Arithmetic& arithmetic) {
    return attention_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_attention(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/attention.ipp"
#endif
