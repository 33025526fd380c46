#pragma once

#include <string>
#include <vector>

#include "assay/kernels/cross_entropy/portable.hpp"
#include "assay/kernels/cross_entropy/reference.hpp"

namespace assay::inline v0 {

/// The cross entropy of rows of logits with label indices, or its gradient. Operands: `logits` (rows, classes),
/// `labels` (rows), `loss_gradient` (backward; rows, or a single number of a mean), `loss` (forward; rows, or a single
/// number), `logits_gradient` (backward; rows, classes).
struct CrossEntropy {
  using Problem = CrossEntropyProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { logits, labels, loss_gradient, loss, logits_gradient };

  [[nodiscard]] static const char* name() { return "cross_entropy"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return problem.backward ? "cross_entropy_backward" : "cross_entropy";
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.logits.name) + "." + problem.labels.name + "." + problem.loss.name +
           (problem.backward ? std::string(".") + problem.output.name : "");
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// A sixth of the rows is ignored. What each pattern of the logits is for:
  /// - normal (three times as wide), uniform, log_uniform: the everyday cases; labels off by one, rows that are ignored
  ///   or count wrongly, smoothing;
  /// - constant: every loss is log classes, every gradient 1/classes: terms that are missing or padding that is
  ///   counted;
  /// - canceling: a common offset of 200, or a quarter of what the format holds: no subtraction of the maximum
  ///   overflows;
  /// - swamping: one logit above the others: sums in too narrow an accumulator;
  /// - special: NaN and infinities;
  /// - subnormal, of formats whose subnormal numbers an exponential tells from 0: logits that are flushed.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<CrossEntropyExpected>> reference(
      B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands, RoundingModel model,
      const Arithmetic& arithmetic) {
    return cross_entropy_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_cross_entropy(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/cross_entropy/cross_entropy.ipp"
#endif
