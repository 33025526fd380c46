#pragma once

#include <cmath>

#include "assay/core/config.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0::detail {

/// `growth_factor` as a function of the number of terms, for devices: where sums of one launch differ in length (windows cut by borders, rows of a
/// table that are added to more often than others). `statements` as in `growth_factor`.
struct GrowthByTerms {
  double unit = 0;
  double confidence = 0;  ///< λ; 0: errors may align
  double partial = 0;     ///< of stored partial sums
  double block = 1;
  bool exact = false;

  [[nodiscard]] static GrowthByTerms of(double statements, const AccumulationModel& accumulation, RoundingModel model) {
    GrowthByTerms growth;
    growth.unit = accumulation.unit_roundoff;
    growth.exact = model == RoundingModel::exact;
    growth.block = static_cast<double>(accumulation.block);
    if (model == RoundingModel::statistical && !accumulation.truncating)
      growth.confidence = confidence_factor(statements, default_case_risk);
    if (accumulation.split > 1) growth.partial = gamma_bound(static_cast<double>(accumulation.split), accumulation.partial_unit_roundoff);
    return growth;
  }

  /// g for a sum of so many terms; infinite where γ is void.
  [[nodiscard]] ASSAY_FUNCTION double operator()(double terms) const {
    if (exact) return partial;
    const double roundings = block > 1 ? std::ceil(terms / block) * (block + 2) : terms, product = roundings * unit;
    double growth = product < 1 ? product / (1 - product) : detail::double_of(binary64_layout.infinity_bits());
    const double probable = confidence * std::sqrt(roundings) * unit;
    if (confidence > 0 && probable < growth && probable < 1) growth = probable;
    return growth + partial + terms * 0x1p-53;
  }
};

}  // namespace assay::inline v0::detail
