#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/combination_list.hpp"
#include "assay/release/detail/matrix_problem.hpp"
#include "assay/release/version_matrix.hpp"

namespace assay::inline v0 {

/// The combinations that the rules allow.
struct MatrixExpansion {
  CombinationList combinations{0};
  double product = 0;                    ///< of the axes, without rules
  std::vector<std::size_t> cut_by_rule;  ///< branches that each rule cut off first; 0: the rule changes nothing here
};

/// More combinations than these are no list that anybody runs.
inline constexpr std::size_t most_matrix_combinations = 10'000'000;

/// All combinations that break no rule, in the order of axes and values. A branch ends with the first axis on which a rule is
/// broken, so that what rules exclude is not enumerated. Errors: `invalid` (see `check`), or if more than `most` are allowed.
/// O(combinations · rules of the last axis) where rules concern early axes.
[[nodiscard]] inline Result<MatrixExpansion> expand(const VersionMatrix& matrix, std::size_t most = most_matrix_combinations) {
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
