#pragma once

#include <algorithm>
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

/// All pairs of a matrix, in few combinations: greedy, after AETG, the same list on every machine. Greedy lists are short, not shortest
/// (3⁴: 9, as is optimal; 3¹³: 18 to 20 where 15 is optimal). A matrix of one axis gives each of its values that can be.
/// Errors: `invalid`; see `check`, and if the rules are too tangled to decide whether a pair can be.
[[nodiscard]] inline Result<PairwiseReduction> pairwise(const VersionMatrix& matrix) {
  const auto made = detail::MatrixProblem::of(matrix);
  if (!made) return made.propagate();
  const detail::MatrixProblem& problem = made.value();
  PairwiseReduction reduction{CombinationList(problem.sizes.size()), 0, {}, 0};
  if (problem.sizes.size() == 1) {
    const auto size = static_cast<std::uint16_t>(problem.sizes[0]);
    for (std::uint16_t value = 0; value < size; ++value)
      if (problem.broken_at(0, std::span(&value, 1)) == problem.tuples.size()) reduction.combinations.push_back(std::span(&value, 1));
    reduction.lower_bound = reduction.combinations.size();
    return reduction;
  }
  detail::PairwiseSearch search(problem);
  if (!search.find_possible_pairs())
    return failure(ErrorKind::invalid,
                   "the rules are too tangled to tell which pairs of values can be together; state what they imply as rules of two axes");
  std::vector<std::size_t> of_axes(problem.sizes.size() * problem.sizes.size(), 0);
  search.possible().each([&](std::uint32_t possible, std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    if (possible == 0) reduction.impossible.push_back({i, a, j, b});
    reduction.pairs += possible;
    reduction.lower_bound = std::max(reduction.lower_bound, of_axes[i * problem.sizes.size() + j] += possible);
  });

  // Small matrices are searched several times, larger ones with fewer candidates: about a second at most without rules.
  const std::size_t work = search.possible().size() * problem.sizes.size();
  const std::size_t candidates = work < 200'000 ? 50 : work < 2'000'000 ? 20 : 5;
  for (std::uint64_t seed = 1; seed <= (work < 20'000 ? 8u : 1u); ++seed) {
    CombinationList found = search.cover(seed, candidates);
    if (seed == 1 || found.size() < reduction.combinations.size()) reduction.combinations = std::move(found);
  }
  return reduction;
}

}  // namespace assay::inline v0
