#pragma once

#include "assay/release/pairwise.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<PairwiseReduction> pairwise(const VersionMatrix& matrix) {
  const auto made = detail::MatrixProblem::of(matrix);
  if (!made) return made.propagate();
  const detail::MatrixProblem& problem = made.value();
  PairwiseReduction reduction{CombinationList(problem.sizes.size()), 0, {}, 0};
  if (problem.sizes.size() == 1) {
    const auto size = static_cast<std::uint16_t>(problem.sizes[0]);
    for (std::uint16_t value = 0; value < size; ++value)
      if (problem.broken_at(0, std::span(&value, 1)) == problem.tuples.size())
        reduction.combinations.push_back(std::span(&value, 1));
    reduction.lower_bound = reduction.combinations.size();
    return reduction;
  }
  detail::PairwiseSearch search(problem);
  if (!search.find_possible_pairs())
    return failure(ErrorKind::invalid,
                   "the rules are too tangled to tell which pairs of values can be together; state what they imply as "
                   "rules of two axes");
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
