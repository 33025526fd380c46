#pragma once

#include "assay/kernels/sort/judgment.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE SortedRow SortedRow::of(const SortProblem& problem, const Operand& input, Index row) {
  SortedRow sorted;
  const Index first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
  for (Index j = 0; j < problem.length; ++j) {
    sorted.elements.push_back(detail::OrderedElement::of(input, first + j * problem.inner));
    sorted.order.push_back(j);
  }
  std::sort(sorted.order.begin(), sorted.order.end(), [&](Index a, Index b) {
    const auto &x = sorted.elements[static_cast<std::size_t>(a)], &y = sorted.elements[static_cast<std::size_t>(b)];
    return problem.before(x, y) || (!problem.before(y, x) && a < b);
  });
  return sorted;
}

ASSAY_DETAIL_HEADER_INLINE void judge_sorted_values(const SortProblem& problem, const Operand& input,
                                                    const Operand& values, detail::JudgedOutput& judged) {
  using detail::OrderedElement;
  for (Index row = 0; row < problem.outer * problem.inner; ++row) {
    const SortedRow sorted = SortedRow::of(problem, input, row);
    const Index k = problem.wanted(), first = row / problem.inner * k * problem.inner + row % problem.inner;
    std::vector<OrderedElement> found;
    for (Index rank = 0; rank < k; ++rank) found.push_back(OrderedElement::of(values, first + rank * problem.inner));
    if (!problem.ordered)
      std::sort(found.begin(), found.end(),
                [&](const OrderedElement& a, const OrderedElement& b) { return problem.before(a, b); });
    for (Index rank = 0; rank < k; ++rank, ++judged.elements) {
      const OrderedElement due = sorted.due(rank), element = found[static_cast<std::size_t>(rank)];
      if (element.equals(due)) continue;
      judged.refute("row " + std::to_string(row) + " has " + shown(element) + " at rank " + std::to_string(rank) +
                    (problem.ordered ? "" : " once it is ordered") + "; due is " + shown(due));
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void judge_sorted_indices(const SortProblem& problem, const Operand& input,
                                                     const Operand& values, const Operand& indices,
                                                     detail::JudgedOutput& judged) {
  for (Index row = 0; row < problem.outer * problem.inner; ++row) {
    const SortedRow sorted = SortedRow::of(problem, input, row);
    const Index k = problem.wanted(), first = row / problem.inner * k * problem.inner + row % problem.inner;
    std::vector<bool> seen(static_cast<std::size_t>(problem.length));
    for (Index rank = 0; rank < k; ++rank, ++judged.elements) {
      const double stored = indices.load(first + rank * problem.inner);
      const auto element = detail::OrderedElement::of(values, first + rank * problem.inner);
      const std::string where =
          "row " + std::to_string(row) + ", rank " + std::to_string(rank) + ": index " + detail::number(stored);
      if (!(stored >= 0 && stored < static_cast<double>(problem.length))) {
        judged.refute(where + " lies outside the row");
        continue;
      }
      const auto index = static_cast<std::size_t>(stored);
      const detail::OrderedElement& x = sorted.elements[index];
      if (seen[index])
        judged.refute(where + " is given twice");
      else if (!x.equals(element))
        judged.refute(where + " is the place of " + detail::shown(x) + ", but the value beside it is " +
                      detail::shown(element));
      else if (problem.ties == SortTies::stable &&
               static_cast<Index>(index) != sorted.order[static_cast<std::size_t>(rank)])
        judged.refute(where + " is not the first of equal elements that is left, " +
                      std::to_string(sorted.order[static_cast<std::size_t>(rank)]));
      seen[index] = true;
    }
  }
}

}  // namespace assay::inline v0
