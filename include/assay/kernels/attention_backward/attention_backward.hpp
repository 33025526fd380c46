#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_backward/portable.hpp"
#include "assay/kernels/attention_backward/reference.hpp"

namespace assay::inline v0 {

/// The gradients of an attention with respect to query, key and value, see `check_backward`. Operands: `query` to
/// `key_lengths` as of `Attention`, `output_gradient` with the extents of its output; `query_gradient`, `key_gradient`
/// and `value_gradient` with those of query, key and value. A kernel that wants the output or its log-sum-exp computes
/// them first. Of what is allowed, right kernels reach 0.97 where weights are stored in 16 bits, and 0.08 where
/// everything is float32 (seven kernels, 3,000 validations each).
struct AttentionBackward {
  using Problem = AttentionProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "attention_backward"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) { return assay::formats_of(problem); }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// As of an attention, see `attention_data`: what shows there shows here. The gradient of the output follows the same
  /// pattern. Where queries are subnormal, values are not: gradients of keys would be 0.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  /// Those of an attention that have gradients, without the longest rows; NaN and infinities only where they are hidden
  /// from most rows: of gradients of rows that see them little can be said.
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<AttentionGradients>> reference(B& backend, typename B::Stream& stream,
                                                                                const Problem& problem,
                                                                                const OperandArray& operands,
                                                                                RoundingModel model,
                                                                                const Arithmetic& arithmetic) {
    return attention_backward_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_attention_backward(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention_backward/attention_backward.ipp"
#endif
