#pragma once

#include <string>
#include <vector>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/kernels/sort/problem.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// One row of a sort's input, and where its elements are due.
struct SortedRow {
  std::vector<detail::OrderedElement> elements;  ///< of the row, as they are stored
  std::vector<Index> order;                      ///< places by value, equal ones as they stand in the input

  /// The row in its right order. O(length · log length).
  [[nodiscard]] static SortedRow of(const SortProblem& problem, const Operand& input, Index row);
  /// The element that must stand at that rank.
  [[nodiscard]] detail::OrderedElement due(Index rank) const {
    return elements[static_cast<std::size_t>(order[static_cast<std::size_t>(rank)])];
  }
};

/// Judges values: those due at each rank, or, unordered, all of those due. O(rows · length · log length), in host
/// memory.
void judge_sorted_values(const SortProblem& problem, const Operand& input, const Operand& values,
                         detail::JudgedOutput& judged);

/// Judges places: within the row, none twice, each the place of the value beside it, and the very one due where ties
/// are stable.
void judge_sorted_indices(const SortProblem& problem, const Operand& input, const Operand& values,
                          const Operand& indices, detail::JudgedOutput& judged);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sort/judgment.ipp"
#endif
