#pragma once

#include <string>

#include "assay/kernels/detail/growth_by_terms.hpp"
#include "assay/kernels/detail/signed_sum.hpp"
#include "assay/kernels/reduction/problem.hpp"
#include "assay/tolerance/bounded.hpp"
#include "assay/tolerance/positive_sum.hpp"

namespace assay::inline v0 {

/// What the reference finds of one reduced row.
struct ReductionSums {
  detail::SignedSum sum;        ///< Σx
  double squares = 0;           ///< Σx², of variance Σ(x − mean)²
  double product = 1;           ///< of all terms
  double above = 1, below = 1;  ///< Π max(1, |x|) and Π min(1, |x|)
  bool nan_or_zero = false;     ///< is among the terms: of infinities it makes the product NaN
};

/// The bound of each function, for any order of its additions. With n the length, g the growth factor of n roundings
/// (tolerance/rounding_error.hpp), u the accumulator's unit roundoff, ε the error of a division or a root, η the
/// smallest number:
///
/// - sum, prefix_sum: g(n)·Σ|x|, and n·η where the accumulator is narrower than the inputs; of prefix sums each with
///   its own n. Nothing is known where Σ|x| may overflow; of sums and means with an infinity, where the terms of the
///   other sign may.
/// - mean: (g(n) + 3u + ε)·Σ|x|/n: the division, or a rounded 1/n, before or after the sum.
/// - product: r·g(n), as without promotion, and n·η·Π max(1, |x|) where partial products may be subnormal; nothing is
///   known where they may overflow, or become 0 before an infinity meets them.
/// - l2_norm: √ of Σx²·(1 ± (g(n) + 2u)) ± n·η, and ε; nothing is known where Σx² overflows.
/// - variance: by the means' error δ = (g(n) + 3u + ε)·√(mean of x²): ((g(n) + 6u)·S + n·δ² + 2δ·√(n·S))/(n −
///   correction) + ε·r, S = Σ(x − mean)². The last but one is of updating formulas (Welford) and of joined partial
///   variances (Chan, Golub, LeVeque, "Algorithms for computing the sample variance", The American Statistician 37
///   (1983), section 3); one-pass formulas err by g(n)·Σx², and are refuted where that is more. Divided by 0, it is
///   infinite where S is more than its error, NaN where all terms are their mean in any arithmetic (none, one, or
///   zeros), and not known else.
/// - maximum, minimum, argmax, argmin: 0, they select.
struct ReductionBound {
  BoundedArithmetic arithmetic;
  detail::GrowthByTerms growth;           ///< of sums of both signs
  detail::GrowthByTerms positive_growth;  ///< of sums of squares
  double lost = 0;                        ///< η where the accumulator does not hold the smallest inputs
  bool rounds_inputs = false;             ///< the accumulator does not hold all inputs

  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static ReductionBound of(const ReductionProblem& problem, RoundingModel model,
                                         const Arithmetic& promised) {
    const double statements =
        static_cast<double>(problem.outer) * static_cast<double>(problem.length) * static_cast<double>(problem.inner);
    ReductionBound bound;
    bound.arithmetic = BoundedArithmetic(promised);
    bound.lost =
        promised.accumulation.min_subnormal > problem.input.min_subnormal() ? promised.accumulation.min_subnormal : 0;
    bound.rounds_inputs = bound.lost > 0 || promised.accumulation.precision < problem.input.layout.precision();
    bound.growth = detail::GrowthByTerms::of(statements, promised.accumulation, model);
    const RoundingModel positive =
        model == RoundingModel::exact ? model : positive_sum_model(problem.length, promised.accumulation, model);
    bound.positive_growth = detail::GrowthByTerms::of(statements, promised.accumulation, positive);
    return bound;
  }

  /// A sum and its E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement sum(const ReductionSums& row, double terms) const {
    if (!row.sum.all_finite) return row.sum.of_specials(growth.raised(terms), arithmetic.largest);
    const double magnitudes = row.sum.magnitudes();
    return settled(row.sum.finite, growth(terms) * magnitudes + terms * lost, magnitudes);
  }
  /// A mean and its E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement mean(const ReductionSums& row, double terms) const {
    if (!row.sum.all_finite) return row.sum.of_specials(growth.raised(terms), arithmetic.largest);
    if (terms == 0) return {detail::double_of(binary64_layout.nan_bits()), 0};
    const double magnitudes = row.sum.magnitudes();
    return settled(row.sum.finite / terms,
                   (growth(terms) + 3 * arithmetic.unit + arithmetic.function_error) * magnitudes / terms +
                       arithmetic.underflow * (1 + terms),
                   magnitudes);
  }
  /// A product and its E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement product(const ReductionSums& row, double terms) const {
    if (!row.sum.all_finite) {
      if (row.nan_or_zero) return {detail::double_of(binary64_layout.nan_bits()), 0};
      const bool lost_factors =
          row.below < 4 * terms * arithmetic.underflow;  // an infinity meets a partial product that may have become 0
      return {lost_factors ? 0 : row.product, lost_factors ? unknown() : 0};
    }
    const double g = growth.without_promotion(terms) + terms * 0x1p-53;
    return settled(row.product,
                   detail::absolute(row.product) * g + (row.below < 1 ? terms * arithmetic.underflow * row.above : 0),
                   row.above * (1 + g));
  }
  /// A Euclidean norm and its E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement norm(const ReductionSums& row, double terms) const {
    if (!row.sum.all_finite) return {std::sqrt(row.squares), 0};
    const Bounded squares{row.squares,
                          row.squares * (positive_growth(terms) + 2 * arithmetic.unit) + terms * arithmetic.underflow};
    const Bounded root = arithmetic.sqrt(squares);
    return settled(root.value, root.error, squares.value + squares.error);
  }
  /// A variance, divided by terms − correction, and its E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement variance(const ReductionSums& row, double terms,
                                                        double correction) const {
    const double nan = detail::double_of(binary64_layout.nan_bits()),
                 divisor = terms > correction ? terms - correction : 0;
    const bool equal_to_mean = terms == 0 || row.sum.magnitudes() == 0 || (terms == 1 && !rounds_inputs);
    if (!row.sum.all_finite || (divisor == 0 && equal_to_mean)) return {nan, 0};
    const double u = arithmetic.unit, mean = row.sum.finite / terms, rms = std::sqrt(row.squares / terms + mean * mean);
    const double delta = (growth(terms) + (growth.exact ? terms * 0x1p-53 : 0)) * rms +
                         (3 * u + arithmetic.function_error) * rms + lost,
                 g = positive_growth(terms) + 6 * u;
    const double error = g * row.squares + terms * delta * delta + 2 * delta * std::sqrt(terms * row.squares),
                 lost_squares = (terms + 1) * arithmetic.underflow, most = (row.squares + terms * rms * rms) * (1 + g);
    if (!(most + error <= arithmetic.largest)) return {0, unknown()};
    if (divisor == 0)  // S/0 is infinite, 0/0 NaN
      return row.squares > error + lost_squares ? ExpectedElement{BoundedArithmetic::infinity(), 0}
                                                : ExpectedElement{0, unknown()};
    const double r = row.squares / divisor;
    return settled(r, error / divisor + arithmetic.function_error * r + lost_squares, most);
  }

  /// +∞, the error of what is not known.
  [[nodiscard]] ASSAY_FUNCTION static double unknown() { return BoundedArithmetic::infinity(); }

 private:
  /// `largest`: a bound on all intermediate results.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement settled(double r, double error, double largest) const {
    if (!(largest + error <= arithmetic.largest)) return {is_finite(r) ? r : 0, unknown()};
    return {r, error};
  }
};

}  // namespace assay::inline v0
