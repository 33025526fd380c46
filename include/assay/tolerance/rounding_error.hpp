#pragma once

#include <cmath>
#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/rounding_model.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {

namespace detail {
/// A number as derivations show it: four significant digits.
[[nodiscard]] inline std::string number(double value) {
  return printed_number(value, 4);
}
}  // namespace detail

/// γ_n = n·u/(1 − n·u), the worst relative error of n roundings; infinite (the bound is void) once n·u ≥ 1.
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., lemma 3.1.
[[nodiscard]] ASSAY_FUNCTION inline double gamma_bound(double roundings, double unit_roundoff) {
  const double product = roundings * unit_roundoff;
  return product < 1 ? product / (1 - product) : detail::double_of(binary64_layout.infinity_bits());
}

/// λ such that a sum of `count` statements, each with 2·exp(−λ²/2) chance to be wrong, is wrong with probability at
/// most `risk`: λ = √(2·ln(2·count/risk)). Source: Higham and Mary, "A new approach to probabilistic rounding error
/// analysis", SISC 41 (2019), theorem 2.4.
[[nodiscard]] inline double confidence_factor(double count, double risk) {
  return std::sqrt(2 * std::log(2 * (count > 1 ? count : 1) / risk));
}

/// The chance, taken over a whole run of up to 10⁵ cases, that a correct kernel is accused by a statistical bound:
/// 10⁻⁹.
inline constexpr double default_case_risk = 1e-14;

namespace detail {
/// What `sums` sums, each off by a share of `within`, add to it as they are added in float32.
[[nodiscard]] ASSAY_FUNCTION inline double promotion_growth(double sums, double within) {
  return gamma_bound(sums, 0x1p-24) * (1 + within);
}
/// What stored partial sums add: γ of their number; nothing to exact data, unless their format is coarser than the
/// accumulator.
[[nodiscard]] inline double partial_sums_growth(const AccumulationModel& accumulation, RoundingModel model) {
  if (accumulation.split <= 1) return 0;
  if (model == RoundingModel::exact && accumulation.partial_unit_roundoff <= accumulation.unit_roundoff) return 0;
  return gamma_bound(static_cast<double>(accumulation.split), accumulation.partial_unit_roundoff);
}
}  // namespace detail

/// g: the relative error, against the sum of magnitudes, that a sum may carry; with its story for the report.
struct GrowthFactor {
  double value = 0;                                 ///< dimensionless; multiplies the sum of magnitudes
  RoundingModel model = RoundingModel::worst_case;  ///< the one that was used
  std::string explanation;                          ///< one sentence for a derivation
};

/// g for `terms` summands under the declared arithmetic and the data's rounding model: 0 if nothing rounds, λ·√L·u if
/// errors are independent and the unit rounds to nearest (never above γ_L), γ_L else. `statements` is the number of
/// rounding errors that the statistical bound speaks of, over all elements of the case. Stored partial sums add their
/// γ, to exact data too where their format is coarser than the accumulator: that the data fit it nobody has promised.
[[nodiscard]] GrowthFactor growth_factor(Index terms, double statements, const AccumulationModel& accumulation,
                                         RoundingModel model, double risk = default_case_risk);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/tolerance/rounding_error.ipp"
#endif
