#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "assay/kernels/gemm/problem.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// E, the largest error of a correct GEMM before its output is rounded, as a function of what the reference knows of an
/// element. With P = Σ a·b, S = Σ |a·b|, u the accumulator's unit roundoff and g the growth factor:
///
///   E = g·(|α|·S + |β·C|) + 3u·(|α·P| + |β·C|) + ρ_α·|α·P| + ρ_β·|β·C| + underflow + the reference's own error
///
/// g covers K products, additions in any order (and one rounding more where α may be multiplied into the terms), with
/// β·C among the summands; 3u the roundings of α itself, of α·P (or β·C) and of their sum. Among the accumulator's
/// subnormal numbers the rounding of α errs by ρ_α = η/(2|α|), and by all of it where α may become 0 (β alike); what
/// the other errors are relative to grows with it. Beyond its largest number nothing is known. Where S or |α|·S +
/// |β·C|, with their own rounding errors, may pass the accumulator's largest number, an intermediate sum may overflow
/// in one order and not in another: E is infinite, unless all terms have the same sign, when every order overflows
/// alike, and the output's range is not the wider one. After Blanchard, Higham, Lopez, Mary, Pranesh, "Mixed precision
/// block fused multiply-add", SISC 42 (2020), and Higham, "Accuracy and Stability", section 3.5.
struct GemmBound {
  double alpha = 1;             ///< of the problem
  double beta = 0;              ///< of the problem
  double growth = 0;            ///< g
  double scaling = 0;           ///< 3u, or 0 where α and β round nothing
  double underflow = 0;         ///< absolute: η for each product and, in units that flush, each sum; scaled by |α|
  double accumulator_max = 0;   ///< largest finite number of the accumulator
  double reference_growth = 0;  ///< relative error of the reference against |α|·S + |β·C|
  double alpha_error = 0;       ///< ρ_α; 0 of normal numbers
  double beta_error = 0;        ///< ρ_β

  /// E for an element with product P, magnitude S and input C (0 where β = 0), in an output format that ends at
  /// `output_max` (0: not beyond the accumulator). Infinite where nothing can be said. Where α = 0, P and S are not
  /// read.
  [[nodiscard]] ASSAY_FUNCTION constexpr double error(double product, double magnitude, double c,
                                                      double output_max = 0) const {
    if (alpha == 0) product = magnitude = 0;
    const double scaled_magnitude = detail::absolute(alpha) * magnitude, scaled_c = detail::absolute(beta * c);
    const double total = scaled_magnitude + scaled_c;
    if (total == 0) return underflow;
    const double scaled_product = detail::absolute(alpha * product);
    const double largest = (magnitude > total ? magnitude : total) * (1 + growth + scaling);
    const bool may_overflow = !(largest <= accumulator_max);
    const bool scaling_keeps_overflow = detail::absolute(alpha) >= 1 || scaled_product > accumulator_max * (1 + 0x1p-8);
    const bool every_order_overflows = scaled_c == 0 && scaling_keeps_overflow &&
                                       scaled_product >= scaled_magnitude * (1 - 0x1p-40) &&
                                       output_max <= accumulator_max;
    if (may_overflow && !every_order_overflows) return double_infinity();
    const double of_factors = alpha_error * scaled_product + beta_error * scaled_c;
    return growth * total + scaling * (scaled_product + scaled_c) + of_factors + underflow + reference_growth * total;
  }

 private:
  ASSAY_FUNCTION static constexpr double double_infinity() {
    return detail::double_of(binary64_layout.infinity_bits());
  }
};

/// A bound and its story for the report.
struct ExplainedGemmBound {
  GemmBound bound;
  std::vector<std::string> derivation;  ///< one step a line
};

namespace detail {

/// Whether rounding a factor, and products with it, changes nothing but by underflow.
[[nodiscard]] inline bool factor_is_exact(double value) {
  int exponent = 0;
  return value == 0 || std::fabs(std::frexp(value, &exponent)) == 0.5;
}
/// What α or β loses, relative to it, as the accumulator's format holds it: 0 where it is at most u, ∞ beyond the
/// largest number.
[[nodiscard]] inline double factor_error(double factor, const AccumulationModel& accumulation) {
  const double size = std::fabs(factor);
  if (size > accumulation.max_finite) return HUGE_VAL;
  if (size < accumulation.min_subnormal) return size > 0 ? 1 : 0;
  if (factor_is_exact(size)) return 0;
  const double error = (accumulation.truncating ? 1 : 0.5) * accumulation.min_subnormal / size;
  return error > accumulation.unit_roundoff ? error : 0;
}

}  // namespace detail

/// The bound for data of a rounding model with at most `terms` non-zero products a sum. `reference_is_double_double`
/// says that the reference carries twice the precision of double.
[[nodiscard]] ExplainedGemmBound gemm_bound(const GemmProblem& problem, const AccumulationModel& accumulation,
                                            RoundingModel model, Index terms, bool reference_is_double_double,
                                            double risk = default_case_risk);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gemm/bound.ipp"
#endif
