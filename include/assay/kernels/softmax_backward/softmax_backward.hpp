#pragma once

#include <string>
#include <vector>

#include "assay/kernels/softmax_backward/portable.hpp"
#include "assay/kernels/softmax_backward/reference.hpp"

namespace assay::inline v0 {

/// The gradient of softmax(x / temperature), or of its logarithm, along any dimension. Operands: `saved` (the forward
/// output y), `gradient` (dy), `output` (dx), each of extents (outer, length, inner), or (outer, length) where inner is
/// 1.
struct SoftmaxBackward {
  using Problem = SoftmaxBackwardProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { saved, gradient, output };

  [[nodiscard]] static const char* name() { return "softmax_backward"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.saved.name) + "." + problem.gradient.name + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// The saved output is about as large as one: uniform probabilities of sum 1, or logarithms of them. What each
  /// pattern of the gradient is for:
  /// - normal, log_uniform: the everyday cases; a sum that is left out or over the wrong elements, narrow arithmetic;
  /// - uniform, constant: gradients of one sign, whose sum is as large as they are;
  /// - canceling: a common offset of 64, which dy − s takes away again;
  /// - swamping: one probability near 1, one large gradient: sums in too narrow an accumulator;
  /// - exact_integer: small integers: addresses; extreme: the smallest numbers, and large ones; special: NaN and
  ///   infinities, and a NaN in one row of the saved output.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SoftmaxBackwardExpected>> reference(
      B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands, RoundingModel model,
      const Arithmetic& arithmetic) {
    return softmax_backward_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_softmax_backward(backend, stream, problem, operands);
  }

 private:
  /// A single row stays as it is: a NaN would hide all else.
  [[nodiscard]] static OperandFill with_nan_in_one_row(const Problem& problem, const OperandFill& fill);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/softmax_backward/softmax_backward.ipp"
#endif
