#pragma once

#include <string>
#include <vector>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/kernels/reduction/portable.hpp"
#include "assay/kernels/reduction/reference.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// A reduction or prefix sum along any dimension. Operands: `input` of extents (outer, length, inner), or (outer,
/// length) where inner is 1; `output` of (outer, inner), with the reduced dimension as extent 1 or with its length
/// where the problem says so.
struct Reduction {
  using Problem = ReductionProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, output };

  [[nodiscard]] static const char* name() { return "reduction"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return "reduce_" + std::string(assay::name_of(problem.function));
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal, uniform, log_uniform: the everyday cases; wrong divisors, narrow accumulators; uniform shows stagnation
  ///   of positive sums, and a maximum that starts at 0 where all are negative (every other seed has the sign changed);
  /// - exact_integer: many equal elements: the choice among ties; sums that must be exact: terms dropped or counted
  ///   twice;
  /// - one_hot: addressing; constant: errors that align; padding that is counted;
  /// - canceling: of variance a mean far above the deviation: one-pass formulas; of sums terms that cancel;
  /// - swamping: one large term and many that a narrow accumulator loses;
  /// - extreme: the ends of the range: squares that overflow; special: NaN, infinities and −0.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<ReductionExpected>> reference(B& backend, typename B::Stream& stream,
                                                                               const Problem& problem,
                                                                               const OperandArray& operands,
                                                                               RoundingModel model,
                                                                               const Arithmetic& arithmetic) {
    return reduction_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_reduction(backend, stream, problem, operands);
  }

  /// Indices of which any of equal elements will do are right where the element there is as large as the reference's.
  [[nodiscard]] static bool judges(const Problem& problem, int) {
    return problem.gives_index() && problem.ties == TiePolicy::any;
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray&, int,
                                  const Arithmetic&, Outcome& outcome);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/reduction/reduction.ipp"
#endif
