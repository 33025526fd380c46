#pragma once

#include <string>
#include <vector>

#include "assay/kernels/l2_normalize/portable.hpp"
#include "assay/kernels/l2_normalize/reference.hpp"

namespace assay::inline v0 {

/// Division by the Euclidean norm, or by ε where that is more, along any dimension. Operands: `input`, `output`, each of
/// extents (outer, length, inner), or (outer, length) where inner is 1.
struct L2Normalize {
  using Problem = L2NormalizeProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, output };

  [[nodiscard]] static const char* name() { return "l2_normalize"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for: normal, uniform, log_uniform: sums over the wrong elements, narrow arithmetic; constant:
  /// roundings that all point the same way; swamping: one large element and many that too narrow a sum loses; one_hot:
  /// addresses; subnormal: norms below ε; extreme: the smallest numbers, and squares near the end of the range;
  /// special: NaN and infinities.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<L2NormalizeExpected>> reference(B& backend, typename B::Stream& stream,
                                                                                 const Problem& problem,
                                                                                 const OperandArray& operands,
                                                                                 RoundingModel model,
                                                                                 const Arithmetic& arithmetic) {
    return l2_normalize_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_l2_normalize(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/l2_normalize/l2_normalize.ipp"
#endif
