#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/attention_merge/portable.hpp"

namespace assay::inline v0 {

/// The merge of partial attentions by their log-sum-exp. Operands: `partial_output` (parts, rows, value_depth),
/// `partial_log_sum_exp` (parts, rows), `output` (rows, value_depth), `log_sum_exp` (rows); the log-sum-exps are
/// float32. Right kernels reach 0.06 of what is allowed (seven kernels, 2,100 validations each).
struct AttentionMerge {
  using Problem = AttentionMergeProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "attention_merge"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.partial.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal, uniform: the everyday cases; wrong weights, parts that are missing, strides that are exchanged;
  /// - constant: equal log-sum-exps: what is counted twice or not at all;
  /// - canceling: log-sum-exps of ±200: no maximum subtracted overflows or gives 0/0;
  /// - swamping: parts that count for next to nothing;
  /// - special: NaN in parts that do count.
  /// In all of them a sixth of the parts saw nothing, and every eleventh row none at all.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<AttentionExpected>> reference(B& backend, typename B::Stream& stream,
                                                                               const Problem& problem,
                                                                               const OperandArray& operands,
                                                                               RoundingModel model,
                                                                               const Arithmetic& arithmetic) {
    return attention_merge_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_attention_merge(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention_merge/attention_merge.ipp"
#endif
