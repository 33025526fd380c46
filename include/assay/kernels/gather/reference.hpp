#pragma once

#include <memory>
#include <utility>

#include "assay/kernels/detail/growth_by_terms.hpp"
#include "assay/kernels/detail/signed_sum.hpp"
#include "assay/kernels/gather/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// References and bounds of gathers and scattered sums. Gathered rows are exact. A scattered sum of the c source rows
/// of one index and, in place, the former row is taken in any order, duplicates included, so that its order need not
/// even be the same from run to run:
///
///   E = g(c + 1)·Σ|terms| + (c + 1)·η, and 0 for rows that nothing is added to, or (gradients) one row that the
///   accumulator holds:
///
/// g counts one rounding an addition in the accumulator (a kernel that adds atomically in the storage format says so in
/// its arithmetic), and one as a term is brought into it. Every term may underflow then; of sums only those that
/// cancel, two terms or more each. E is infinite where Σ|terms| is beyond the accumulator's largest number; of rows
/// with an infinity, where the terms of the other sign are. Right kernels reach 0.84 of it. Source: Higham, "Accuracy
/// and Stability of Numerical Algorithms", 2nd ed., section 4.2.
struct GatherExpected {
  GatherProblem problem;
  detail::GrowthByTerms growth;
  double unit = 0, underflow = 0, largest = 0;
  Operand table;  ///< gather: rows to read; scatter_add: as it was
  Operand indices;
  Operand source;                  ///< what is scattered
  const Index* first = nullptr;    ///< of each row of the table, in `entries`
  const Index* entries = nullptr;  ///< positions of its indices, row after row
  int output = 0;

  /// The row of the table that the index at that position means.
  [[nodiscard]] ASSAY_FUNCTION Index row_at(Index position) const {
    return problem.row_of(static_cast<Index>(indices.load(position)));
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (problem.kind == GatherKind::gather) {
      const Index from = row_at(row);
      return {from < 0 ? 0 : table.at(from, column), 0};
    }
    const bool in_place = problem.kind == GatherKind::scatter_add;
    if (row == problem.padding_row) return {0, 0};
    const Index count = first[row + 1] - first[row];
    if (count == 0) return {in_place ? table.at(row, column) : 0, 0};
    detail::SignedSum sum;
    if (in_place) sum.add(table.at(row, column));
    for (Index entry = first[row]; entry < first[row + 1]; ++entry) sum.add(source.at(entries[entry], column));
    const bool held = problem.format.unit_roundoff() >= unit && problem.format.min_subnormal() >= underflow &&
                      problem.format.max_finite() <= largest;
    if (count == 1 && !in_place && held) return {sum.value(), 0};
    const double terms = static_cast<double>(count + 1), g = growth(terms), magnitudes = sum.magnitudes();
    if (!sum.all_finite) return sum.of_specials(growth.raised(terms), largest);
    if (!(magnitudes * (1 + g) <= largest)) return {0, detail::double_of(binary64_layout.infinity_bits())};
    return {sum.finite, g * magnitudes + terms * underflow};
  }
};

/// Sorts positions by the rows that their indices mean, in their order: one piece of work.
struct GroupIndices {
  GatherExpected expected;
  Index* first;
  Index* entries;

  ASSAY_FUNCTION void operator()(std::size_t) const {
    const GatherProblem& problem = expected.problem;
    for (Index row = 0; row <= problem.rows; ++row) first[row] = 0;
    for (Index position = 0; position < problem.count; ++position)
      if (const Index row = expected.row_at(position); row >= 0) ++first[row];
    Index sum = 0;
    for (Index row = 0; row <= problem.rows; ++row) {
      sum += first[row];
      first[row] = sum;  // its end, and from the back its beginning
    }
    for (Index position = problem.count - 1; position >= 0; --position)
      if (const Index row = expected.row_at(position); row >= 0) entries[--first[row]] = position;
  }
};

/// O(rows + indices) memory; sums are taken while they are compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<GatherExpected>> gather_reference(B& backend, typename B::Stream& stream,
                                                                          const GatherProblem& problem,
                                                                          const Operand& table, const Operand& indices,
                                                                          const Operand& source, RoundingModel model,
                                                                          const Arithmetic& arithmetic) {
  GatherExpected expected;
  expected.problem = problem;
  expected.growth = detail::GrowthByTerms::of(
      static_cast<double>(problem.count + 1) * static_cast<double>(problem.width), arithmetic.accumulation, model);
  expected.unit = arithmetic.unit_roundoff();
  expected.underflow = arithmetic.accumulation.min_subnormal;
  expected.largest = arithmetic.accumulation.max_finite;
  expected.table = table;
  expected.indices = indices;
  expected.source = source;
  if (problem.kind == GatherKind::gather) return OperationReference<GatherExpected>{expected, nullptr};
  auto buffer = backend.template allocate<Index>(static_cast<std::size_t>(problem.rows + problem.count + 2));
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<Index>>(std::move(buffer).value());
  Index* const first = owned->data();
  if (auto run = backend.parallel_for(stream, 1, GroupIndices{expected, first, first + problem.rows + 1}); !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  expected.first = first;
  expected.entries = first + problem.rows + 1;
  return OperationReference<GatherExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
