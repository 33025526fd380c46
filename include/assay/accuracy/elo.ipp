#pragma once

#include "assay/accuracy/elo.hpp"

#include <cmath>
#include <string>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> elo_ratings(std::span<const Battle> battles, std::size_t players,
                                                           const EloOptions& options) {
  std::vector<double> ratings(players, options.initial);
  for (const Battle& battle : battles) {
    expect(
        battle.a < players && battle.b < players && battle.a != battle.b && battle.outcome >= 0 && battle.outcome <= 1,
        [&] {
          return "elo_ratings() was given a battle of players " + std::to_string(battle.a) + " and " +
                 std::to_string(battle.b) + " of " + std::to_string(players) + ", or an outcome outside [0, 1]";
        });
    const double expected = 1 / (1 + std::pow(10.0, (ratings[battle.b] - ratings[battle.a]) / options.scale));
    const double change = options.step * (battle.outcome - expected);
    ratings[battle.a] += change;
    ratings[battle.b] -= change;
  }
  return ratings;
}

}  // namespace assay::inline v0
