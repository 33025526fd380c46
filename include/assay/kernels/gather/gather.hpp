#pragma once

#include <string>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/detail/judge_codes.hpp"
#include "assay/kernels/gather/portable.hpp"
#include "assay/kernels/gather/reference.hpp"
#include "assay/tolerance/positive_sum.hpp"

namespace assay::inline v0 {

/// Gather (embedding), scatter-add and the gradient of an embedding. Operands: `table` (rows, width), read or updated
/// in place, absent for gradients; `indices` (count); `source` (count, width), absent for gathers; `output`: (count,
/// width) gathered rows or (rows, width) gradients, absent for scatter-add.
struct Gather {
  using Problem = GatherProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { table, indices, source, output };

  [[nodiscard]] static const char* name() { return "gather"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    const char* const names[] = {"gather", "scatter_add", "embedding_gradient"};
    return names[static_cast<int>(problem.kind)];
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.index_format.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal, uniform: rows drawn at random, some more than once; outside the table and from its end where the problem
  ///   allows that: wrong rows, lost duplicates;
  /// - constant: one row is named by every index: lost updates, sums in too narrow an accumulator; swamping: the same
  ///   with a large element among small ones;
  /// - exact_integer: the last rows only: nothing rounds, so that every term counts; indices that are cut off;
  /// - special: any bits where rows are gathered; NaN and infinities where they are added.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed);
  /// Indices of that pattern, some of them out of range or negative where the problem allows it.
  [[nodiscard]] static std::vector<double> drawn_indices(const Problem& problem, FillKind kind, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<GatherExpected>> reference(B& backend, typename B::Stream& stream,
                                                                            const Problem& problem,
                                                                            const OperandArray& operands,
                                                                            RoundingModel model,
                                                                            const Arithmetic& arithmetic) {
    return gather_reference(backend, stream, problem, operands[table], operands[indices], operands[source], model,
                            arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_gather(backend, stream, problem, operands[table], operands[indices], operands[source],
                           problem.kind == GatherKind::scatter_add ? operands[table] : operands[output]);
  }
  /// Gathered rows bit by bit.
  [[nodiscard]] static bool judges(const Problem& problem, int) { return problem.kind == GatherKind::gather; }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before, int,
                                  const Arithmetic&, Outcome& outcome);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gather/gather.ipp"
#endif
