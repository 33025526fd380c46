#pragma once

#include "assay/tolerance/rounding_error.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE GrowthFactor growth_factor(Index terms, double statements,
                                                      const AccumulationModel& accumulation, RoundingModel model,
                                                      double risk) {
  using detail::number;
  const double partial = detail::partial_sums_growth(accumulation, model);
  const auto add_partial_sums = [&](GrowthFactor& growth) {
    growth.value += partial;
    growth.explanation += "; " + std::to_string(accumulation.split) +
                          " partial sums stored with u = " + number(accumulation.partial_unit_roundoff) + " add " +
                          number(partial);
  };
  GrowthFactor growth;
  growth.model = model;
  if (model == RoundingModel::exact) {
    growth.explanation =
        "every partial sum is representable in " + std::string(accumulation.format_name) + ": nothing rounds, g = 0";
    if (partial > 0) {
      add_partial_sums(growth);
      growth.model = RoundingModel::worst_case;
    }
    return growth;
  }
  if (accumulation.promotion > 0 && terms > accumulation.promotion) {
    AccumulationModel between = accumulation;
    between.promotion = 0;
    const Index sums = (terms + accumulation.promotion - 1) / accumulation.promotion;
    growth = growth_factor(accumulation.promotion, statements, between, model, risk);
    const double promoted = detail::promotion_growth(static_cast<double>(sums), growth.value);
    growth.value += promoted;
    growth.explanation += "; " + std::to_string(sums) + " sums of " + std::to_string(accumulation.promotion) +
                          " products added in f32 add " + number(promoted);
    return growth;
  }
  const double roundings = static_cast<double>(accumulation.roundings(terms));
  const double unit = accumulation.unit_roundoff;
  const double worst = gamma_bound(roundings, unit);
  const std::string prefix = "L = " + number(roundings) + " roundings of u = " + number(unit) + " (" +
                             accumulation.format_name + (accumulation.truncating ? ", truncating" : "") + "); ";
  growth.value = worst;
  growth.model = RoundingModel::worst_case;
  growth.explanation = prefix + (std::isfinite(worst) ? "errors may align: g = γ_L = L·u/(1 − L·u) = " + number(worst)
                                                      : "L·u ≥ 1: γ is void, nothing can be refuted");
  if (model == RoundingModel::statistical && !accumulation.truncating) {
    const double lambda = confidence_factor(statements, risk);
    const double probable = lambda * std::sqrt(roundings) * unit;
    if (probable < worst && probable < 1) {
      growth.value = probable;
      growth.model = RoundingModel::statistical;
      growth.explanation = prefix + "independent errors: g = λ·√L·u = " + number(probable) + " with λ = √(2 ln(2·" +
                           number(statements) + "/" + number(risk) + ")) = " + number(lambda);
    }
  }
  if (partial > 0) add_partial_sums(growth);
  return growth;
}

}  // namespace assay::inline v0
