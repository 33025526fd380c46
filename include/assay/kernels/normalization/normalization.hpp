#pragma once

#include <string>
#include <vector>

#include "assay/kernels/normalization/portable.hpp"
#include "assay/kernels/normalization/reference.hpp"
#include "assay/kernels/normalization/shapes.hpp"

namespace assay::inline v0 {

/// LayerNorm, RMSNorm, GroupNorm and BatchNorm with given statistics, chosen by the problem's `kind`. Operands:
/// `input`, `gamma`, `beta` (channels each, where the problem has them), `mean` and `variance` (channels each; of a
/// batch), `output`; `saved_mean` and `saved_deviation` (a number for each mean taken, where they are saved). Input and
/// output have extents (outer, channels, inner), or (outer, channels) where inner is 1.
struct Normalization {
  using Problem = NormalizationProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, gamma, beta, mean, variance, output, saved_mean, saved_deviation };

  [[nodiscard]] static const char* name() { return "normalization"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) { return assay::name_of(problem.kind); }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.parameters.name + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal, uniform, log_uniform: the everyday cases; missing or repeated terms, wrong divisors, parameters of other
  ///   channels;
  /// - constant: a variance of 0: epsilon that is left out, dust of the mean that is blown up;
  /// - canceling: a mean 2¹² (or what the format resolves) times the deviation: one-pass variance, folded shifts;
  /// - swamping: one element far above the others: sums in too narrow an accumulator;
  /// - subnormal: a variance about as large as epsilon: epsilon outside the root, a variance that is clamped;
  /// - exact_integer: small integers: addresses; extreme: the largest elements whose squares can be summed: squares in
  ///   a narrow format;
  /// - special: NaN and infinities.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    return normalization_shapes(format);
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<NormalizationExpected>> reference(
      B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands, RoundingModel model,
      const Arithmetic& arithmetic) {
    return normalization_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_normalization(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/normalization/normalization.ipp"
#endif
