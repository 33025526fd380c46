#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/rotary_embedding/portable.hpp"
#include "assay/kernels/rotary_embedding/reference.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// Rotary position embedding (Su et al., "RoFormer", arXiv 2104.09864). Operands: `input` (batch, sequence, heads,
/// dimension), `positions` (of int64, (batch, sequence); absent unless the problem gives them), `output` as the input.
struct RotaryEmbedding {
  using Problem = RotaryEmbeddingProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, positions, output };

  [[nodiscard]] static const char* name() { return "rotary_embedding"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for. Positions, where they are an operand, are drawn below 8192 and for normal data below
  /// 2^20, not in order.
  /// - normal: the everyday case; wrong pairs, signs, frequencies, narrow tables; constant: the same in every element:
  ///   pairs that are mixed up across heads do not show, frequencies do;
  /// - one_hot: one element a head: which pairs are rotated together; canceling: pairs whose rotations cancel;
  /// - extreme, subnormal: overflow in x·cos + y·sin, flushing; special: NaN and infinities, which may spread to their
  ///   partner only.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<RotaryEmbeddingExpected>> reference(
      B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands, RoundingModel,
      const Arithmetic& arithmetic) {
    return rotary_embedding_reference(backend, stream, problem, operands, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_rotary_embedding(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/rotary_embedding/rotary_embedding.ipp"
#endif
