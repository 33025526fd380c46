#pragma once

#include "assay/release/expand_matrix.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<MatrixExpansion> expand(const VersionMatrix& matrix, std::size_t most) {
  const auto made = detail::MatrixProblem::of(matrix);
  if (!made) return made.propagate();
  const detail::MatrixProblem& problem = made.value();
  MatrixExpansion expansion{CombinationList(problem.sizes.size()), 1, std::vector<std::size_t>(matrix.rules.size(), 0)};
  for (const std::size_t size : problem.sizes) expansion.product *= static_cast<double>(size);

  const std::size_t last = problem.sizes.size() - 1;
  std::vector<std::uint16_t> values(problem.sizes.size(), 0);
  std::size_t axis = 0;
  for (bool climbing = false;;) {
    if (climbing) {
      if (axis == 0) return expansion;
      ++values[--axis];
    }
    climbing = values[axis] == problem.sizes[axis];
    if (climbing) {
      values[axis] = 0;
      continue;
    }
    if (const std::size_t broken = problem.broken_at(axis, values); broken < problem.tuples.size()) {
      ++expansion.cut_by_rule[problem.tuples[broken].rule];
      ++values[axis];
    } else if (axis < last) {
      ++axis;
    } else {
      if (expansion.combinations.size() == most)
        return failure(ErrorKind::invalid, "the matrix allows more than " + std::to_string(most) +
                                               " combinations; add rules, drop values, or take all pairs instead");
      expansion.combinations.push_back(values);
      ++values[axis];
    }
  }
}

}  // namespace assay::inline v0
