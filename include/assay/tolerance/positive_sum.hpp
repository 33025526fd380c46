#pragma once

#include "assay/core/rounding_model.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// The rounding model of a sum of `terms` numbers of one sign, over data whose rounding errors are otherwise
/// independent: as the sum outgrows its terms, roundings get a bias, measured as (n·u)²/25 to (n·u)²/33 of the sum;
/// held below half of the statistical bound λ√n·u, λ > 8.
[[nodiscard]] constexpr RoundingModel positive_sum_model(Index terms, const AccumulationModel& accumulation,
                                                         RoundingModel model) {
  const double count = static_cast<double>(terms), u = accumulation.unit_roundoff;
  if (model == RoundingModel::worst_case) return model;
  return count * count * count * u * u <= 100.0 * 100.0 ? RoundingModel::statistical : RoundingModel::worst_case;
}

/// `growth_factor` of sums of that many numbers of one sign, and of sums over the same terms.
[[nodiscard]] inline GrowthFactor positive_growth_factor(Index terms, double statements,
                                                         const AccumulationModel& accumulation, RoundingModel model) {
  return growth_factor(terms, statements, accumulation, positive_sum_model(terms, accumulation, model));
}

}  // namespace assay::inline v0
