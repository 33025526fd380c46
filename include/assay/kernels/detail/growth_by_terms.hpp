#pragma once

#include <cmath>

#include "assay/core/config.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0::detail {

/// `growth_factor` as a function of the number of terms, for devices: where sums of one launch differ in length
/// (windows cut by borders, rows of a table that are added to more often than others). `statements` as in
/// `growth_factor`. Adds n·2⁻⁵³, the reference's own, where anything rounds.
struct GrowthByTerms {
  double unit = 0;
  double confidence = 0;  ///< λ; 0: errors may align
  double partial = 0;     ///< of stored partial sums
  double block = 1;
  double promotion = 0;  ///< terms after which a sum is added to one in float32 and begun anew; 0: never
  bool exact = false;

  [[nodiscard]] static GrowthByTerms of(double statements, const AccumulationModel& accumulation, RoundingModel model) {
    GrowthByTerms growth;
    growth.unit = accumulation.unit_roundoff;
    growth.exact = model == RoundingModel::exact;
    growth.block = static_cast<double>(accumulation.block);
    growth.promotion = static_cast<double>(accumulation.promotion);
    if (model == RoundingModel::statistical && !accumulation.truncating)
      growth.confidence = confidence_factor(statements, default_case_risk);
    growth.partial = partial_sums_growth(accumulation, model);
    return growth;
  }

  /// g for a sum of so many terms; infinite where γ is void.
  [[nodiscard]] ASSAY_FUNCTION double operator()(double terms) const {
    if (exact || !(promotion > 0 && terms > promotion)) return without_promotion(terms);
    const double within = of_additions(promotion) + partial;
    return within + promotion_growth(std::ceil(terms / promotion), within) + terms * 0x1p-53;
  }
  /// g where nothing is begun anew: of products, whose parts pass their errors on, and of sums of sums.
  [[nodiscard]] ASSAY_FUNCTION double without_promotion(double terms) const {
    return exact ? partial : of_additions(terms) + partial + terms * 0x1p-53;
  }
  /// How many times their sum so many terms of one sign may make as they are rounded: (1 + u)^L at most, finite also
  /// where γ is void.
  [[nodiscard]] ASSAY_FUNCTION double raised(double terms) const {
    return exact ? 1 + partial : std::exp(roundings(terms) * (unit + 0x1p-53)) * (1 + partial);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION double roundings(double terms) const {
    return block > 1 ? std::ceil(terms / block) * (block + 2) : terms;
  }
  [[nodiscard]] ASSAY_FUNCTION double of_additions(double terms) const {
    const double count = roundings(terms), worst = gamma_bound(count, unit);
    const double probable = confidence * std::sqrt(count) * unit;
    return confidence > 0 && probable < worst && probable < 1 ? probable : worst;
  }
};

}  // namespace assay::inline v0::detail
