#pragma once

#include <string>
#include <vector>

#include "assay/kernels/softmax/portable.hpp"
#include "assay/kernels/softmax/reference.hpp"

namespace assay::inline v0 {

/// y = softmax(x / temperature), or its logarithm, along any dimension. Operands: `input`, `mask` (of bytes; absent
/// unless the problem is masked), `output`, each of extents (outer, length, inner), or (outer, length) where inner is
/// 1.
struct Softmax {
  using Problem = SoftmaxProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, mask, output };

  [[nodiscard]] static const char* name() { return "softmax"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal (three times as wide), uniform (nearly equal), log_uniform: the everyday cases; wrong sums, missing
  ///   terms, narrow arithmetic;
  /// - constant: every result is 1/length; wrong divisors, padding that is counted;
  /// - canceling: a common offset of 200, or half of what the format holds: no subtraction of the maximum overflows;
  /// - swamping: one element 9 above the others: sums in too narrow an accumulator stagnate;
  /// - exact_integer: ascending integers with repetitions: rescaling that is forgotten, addresses;
  /// - extreme: the largest numbers of either sign; special: NaN and infinities, −∞ among them;
  /// - subnormal, of formats whose subnormal numbers an exponential tells from 0: inputs that are flushed.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SoftmaxExpected>> reference(B& backend, typename B::Stream& stream,
                                                                             const Problem& problem,
                                                                             const OperandArray& operands,
                                                                             RoundingModel model,
                                                                             const Arithmetic& arithmetic) {
    return softmax_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_softmax(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/softmax/softmax.ipp"
#endif
