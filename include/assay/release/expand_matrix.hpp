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

/// All combinations that break no rule, in the order of axes and values. A branch ends with the first axis on which a
/// rule is broken, so that what rules exclude is not enumerated. Errors: `invalid` (see `check`), or if more than
/// `most` are allowed. O(combinations · rules of the last axis) where rules concern early axes.
[[nodiscard]] Result<MatrixExpansion> expand(const VersionMatrix& matrix, std::size_t most = most_matrix_combinations);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/expand_matrix.ipp"
#endif
