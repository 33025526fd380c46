#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/release/combination_list.hpp"
#include "assay/release/detail/matrix_problem.hpp"
#include "assay/release/detail/pair_table.hpp"

namespace assay::inline v0::detail {

/// Finds few combinations that together hold every pair that can be, greedily, after AETG (Cohen, Dalal, Fredman,
/// Patton: The AETG system, IEEE Transactions on Software Engineering 23(7), 1997): of several candidates the one that
/// holds most pairs not yet held.
class PairwiseSearch {
 public:
  explicit PairwiseSearch(const MatrixProblem& problem)
      : problem_(&problem), solver_(problem), wanted_(problem.sizes) {}

  /// Finds which pairs can be at all. False: the rules are too tangled to tell.
  [[nodiscard]] bool find_possible_pairs();
  /// 1 for each pair that can be.
  [[nodiscard]] PairTable& possible() noexcept { return wanted_; }

  [[nodiscard]] CombinationList cover(std::uint64_t seed, std::size_t candidates);

 private:
  [[nodiscard]] std::size_t random(std::size_t count) noexcept {  // SplitMix64
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>((bits ^ (bits >> 31)) % count);
  }

  /// Starts from a pair that is missing, of the value that most of them have; the other axes follow in random order,
  /// each with the value that adds most, if the rules then still leave a way to the end.
  [[nodiscard]] std::vector<std::uint16_t> candidate();

  [[nodiscard]] bool set_best(std::vector<std::uint16_t>& values, std::size_t axis);

  [[nodiscard]] CombinationList without_superfluous(const CombinationList& chosen);

  const MatrixProblem* problem_;
  MatrixSolver solver_;
  PairTable wanted_;
  PairTable missing_{{}};
  std::vector<std::vector<std::size_t>> counts_;  ///< missing pairs of each value
  std::uint64_t state_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/pairwise_search.ipp"
#endif
