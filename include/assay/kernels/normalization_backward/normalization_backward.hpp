#pragma once

#include <string>
#include <vector>

#include "assay/kernels/normalization_backward/portable.hpp"
#include "assay/kernels/normalization_backward/reference.hpp"

namespace assay::inline v0 {

/// The gradients of LayerNorm, RMSNorm, GroupNorm and BatchNorm with given statistics. Operands: `gradient` (dy),
/// `input` (x), `gamma`, `mean` and `deviation` as the forward pass saved them (a number for each mean, of a batch the
/// variance of each channel), `input_gradient`, `gamma_gradient` and `beta_gradient` (channels each, where there are
/// such parameters).
struct NormalizationBackward {
  using Problem = NormalizationBackwardProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { gradient, input, gamma, mean, deviation, input_gradient, gamma_gradient, beta_gradient };

  [[nodiscard]] static const char* name() { return "normalization_backward"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return std::string(assay::name_of(problem.forward.kind)) + "_backward";
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.forward.output.name) + "." + problem.forward.input.name + "." +
           problem.forward.parameters.name + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// Mean and deviation are about those of x. What each pattern is for:
  /// - normal, log_uniform: the everyday cases; terms left out, wrong divisors, parameters of other channels;
  /// - uniform, constant: gradients of one sign, which their mean cancels; - canceling: a mean of x 2¹² (or what the
  ///   format resolves) times the deviation: folded sums;
  /// - swamping: one large gradient: sums in too narrow an accumulator; - subnormal: x about as small as √epsilon;
  /// - exact_integer: small integers: addresses; - special: NaN and infinities among the gradients.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<NormalizationBackwardExpected>> reference(
      B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands, RoundingModel model,
      const Arithmetic& arithmetic) {
    return normalization_backward_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_normalization_backward(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/normalization_backward/normalization_backward.ipp"
#endif
