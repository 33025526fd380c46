#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/combination_list.hpp"
#include "assay/release/detail/pairwise_search.hpp"
#include "assay/release/version_matrix.hpp"

namespace assay::inline v0 {

/// Two values of two axes.
struct MatrixPair {
  /// Positions in the matrix.
  std::size_t axis = 0, value = 0;
  /// Positions in the matrix.
  std::size_t other_axis = 0, other_value = 0;
};

/// Few combinations in which every pair of values that can be together is, at least once.
struct PairwiseReduction {
  CombinationList combinations{0};
  std::size_t pairs = 0;               ///< that can be, and are all there
  std::vector<MatrixPair> impossible;  ///< that no combination allowed by the rules holds
  std::size_t lower_bound = 0;         ///< no smaller list can hold all pairs: the most that two axes have
};

/// All pairs of a matrix, in few combinations: greedy, after AETG, the same list on every machine. Greedy lists are
/// short, not shortest (3⁴: 9, as is optimal; 3¹³: 18 to 20 where 15 is optimal). A matrix of one axis gives each of
/// its values that can be. Errors: `invalid`; see `check`, and if the rules are too tangled to decide whether a pair
/// can be.
[[nodiscard]] Result<PairwiseReduction> pairwise(const VersionMatrix& matrix);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/pairwise.ipp"
#endif
