#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/accuracy/elo.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How ratings are scaled and how sure they are told to be.
struct BradleyTerryOptions {
  double mean = 1000;        ///< of all ratings
  double scale = 400;        ///< difference at which the better one is ten times as likely to win
  double confidence = 0.95;  ///< of the intervals
  double regularization =
      0;  ///< × the number of battles, added to the Hessian's diagonal for variances; arena-rank has 1e-5
};

/// A player's strength.
struct PlayerRating {
  double rating = 0;    ///< the likeliest
  double lower = 0;     ///< of the interval
  double upper = 0;     ///< of the interval
  double variance = 0;  ///< by the sandwich H⁻¹GH⁻¹, which holds where the model does not quite
};

/// The likeliest strengths, a tie being half a win of either; P(a beats b) = 1 / (1 + 10^((b − a) / scale)). Newton's
/// method. Source: Bradley, Terry, Biometrika 39 (1952); the sandwich: Huber 1967, White 1982. Error `invalid`: there
/// are no finite strengths, since some players never lost a point to the others, or never met them; the message names
/// one. O(battles + players³). Misuse: as `elo_ratings`.
[[nodiscard]] Result<std::vector<PlayerRating>> bradley_terry(std::span<const Battle> battles, std::size_t players,
                                                              const BradleyTerryOptions& options = {});

/// The same with intervals from battles drawn with replacement; draws without finite strengths are left out. Error
/// `invalid`: as above, or more than a tenth of the draws have none. Misuse: fewer than 100 resamples.
[[nodiscard]] Result<std::vector<PlayerRating>> bradley_terry_bootstrap(std::span<const Battle> battles,
                                                                        std::size_t players, std::size_t resamples,
                                                                        std::uint64_t seed = 1,
                                                                        const BradleyTerryOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/bradley_terry.ipp"
#endif
