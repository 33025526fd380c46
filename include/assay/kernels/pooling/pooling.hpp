#pragma once

#include <string>
#include <vector>

#include "assay/kernels/detail/judge_codes.hpp"
#include "assay/kernels/pooling/portable.hpp"
#include "assay/kernels/pooling/reference.hpp"

namespace assay::inline v0 {

/// Maximum and average pooling, forward and backward. Operands: `input` (forward) or `gradient_output`; `maxima`, the
/// places of the maxima as the forward pass gives them (absent unless the gradient of a maximum is asked for); `output`
/// or `gradient_input`; `indices` (absent unless asked for).
struct Pooling {
  using Problem = PoolingProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, maxima, output, indices };

  [[nodiscard]] static const char* name() { return "pooling"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return problem.backward ? "pooling_backward" : "pooling";
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.format.name;
  }

  /// Extents of the output or of the input, in the order in which they lie.
  [[nodiscard]] static std::vector<Index> extents_of(const Problem& problem, bool of_output) {
    std::vector<Index> extents{problem.batch};
    if (!problem.channels_last) extents.push_back(problem.channels);
    for (int d = 0; d < problem.dimensions; ++d) extents.push_back(of_output ? problem.output(d) : problem.input[d]);
    if (problem.channels_last) extents.push_back(problem.channels);
    return extents;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal, uniform, log_uniform: the everyday cases; wrong divisors, borders, strides, dilation;
  /// - constant: averages are the constant: padding that is counted; maxima tie throughout: indices;
  /// - exact_integer: few distinct values: ties of maxima, terms left out;
  /// - canceling, swamping: sums in too narrow an accumulator;
  /// - near_tie (negative numbers only): a maximum that starts at zero, padding that takes part in it;
  /// - one_hot (maxima only: minus infinity throughout): a maximum that starts at the lowest finite number;
  /// - extreme: sums near the largest number; special: NaN and infinities.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  /// A place in each window, in every second one that which all windows of the neighborhood have in common.
  [[nodiscard]] static std::vector<double> drawn_maxima(const Problem& problem, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<PoolingExpected>> reference(B&, typename B::Stream&,
                                                                             const Problem& problem,
                                                                             const OperandArray& operands,
                                                                             RoundingModel model,
                                                                             const Arithmetic& arithmetic) {
    return OperationReference<PoolingExpected>{{problem, PoolingBound::of(problem, model, arithmetic), operands[input],
                                                operands[maxima], extents_of(problem, !problem.backward).back()},
                                               nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_pooling(backend, stream, problem, operands);
  }

  /// Indices: each must address a largest element (or a NaN) of its own window; the first of them where the problem
  /// asks so. Maxima of 64-bit integers, which doubles round: by their codes.
  [[nodiscard]] static bool judges(const Problem& problem, int written) {
    return written == 1 || problem.format.wide_integer;
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before,
                                  int written, const Arithmetic& arithmetic, Outcome& outcome);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/pooling/pooling.ipp"
#endif
