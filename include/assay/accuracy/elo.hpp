#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::inline v0 {

/// One comparison of two players, by number from 0.
struct Battle {
  std::size_t a = 0;     ///< one contestant, counted from 0
  std::size_t b = 0;     ///< the other
  double outcome = 0.5;  ///< 1: a is better, 0: b is, ½: a tie
};

/// How ratings move.
struct EloOptions {
  double step = 4;        ///< K: the most that one battle moves a rating
  double initial = 1000;  ///< rating of who has not played
  double scale = 400;     ///< difference at which the better one is ten times as likely to win
};

/// Ratings after the battles, in their order, on which they depend: shuffle and repeat, or use `bradley_terry`, to rank
/// players whose strength does not change. O(battles). Misuse: a player not below `players`, an outcome outside [0, 1].
[[nodiscard]] std::vector<double> elo_ratings(std::span<const Battle> battles, std::size_t players,
                                              const EloOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/elo.ipp"
#endif
