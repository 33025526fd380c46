#pragma once

#include <cmath>

#include "assay/kernels/normalization/problem.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// What all elements that share a mean have in common: E of one of them is |gamma|·(offset_error + slope_error·|x − μ|)
/// + roundings·u·|y|.
struct NormalizationRow {
  double mean = 0;
  double mean_error = 0;      ///< of the mean, absolute
  double variance = 0;        ///< of rms: the mean of x²
  double variance_error = 0;  ///< of the variance, absolute
  double inverse = 0;         ///< 1/√(σ² + ε)
  double inverse_error = 0;   ///< of 1/√(variance + ε), absolute
  double offset_error = 0;
  double slope_error = 0;
  double reach = 0;  ///< elements farther from the mean may overflow on their way
};

/// What the bound of a normalization is made of. With n elements a mean, g = g(n), u the accumulator's unit roundoff,
/// ε_f an elementary function's error, q = √(σ² + μ²) ≥ mean|x|:
///
///   |δμ|  ≤ g·q + (ε_f + 2u)·|μ|                                            (a sum and a division)
///   δσ² ≤ h·(σ² + δμ²) + δμ² two-pass: Σ(x − μ̂)² = Σ(x − μ)² + n·δμ², with h = g + ε_f + 4u δσ² ≤ h·σ² + 2σ·h·q +
///   (h·q)² Welford: (x − μ_k−1)(x − μ_k) takes in the errors of running means, each at most γ_k·mean_k|x| ≤ γ_n·q,
///                                                   or λ√k·u·mean_k|x| ≤ λ√n·u·q (Cauchy); Chan, Golub, LeVeque, "Algorithms for computing the sample
///                                                   variance", The American Statistician 37 (1983), find n·u·κ with κ = q/σ, too
///   δσ² ≤ h·(σ² + μ²) + 2|μ|·δμ + δμ² one-pass: both terms of E[x²] − μ² carry their own errors
///
/// 1/√(σ² + ε) is taken at both ends of [max(σ² − δσ², 0), σ² + δσ²], with 2ε_f for root and division. Then, with r
/// this inverse and δr its error,
///
///   E = |gamma|·((r + δr)·δμ + (δr + 5u·(r + δr))·|x − μ|) + u·|y|, where folded: + |gamma|·(r + δr)·2u·(|x| + |μ|) +
///   u·|y|
///
/// since x·a and μ·a round by themselves there; where an intermediate result may overflow, E is infinite. Of rms the
/// mean is 0, and δσ² = h·σ². After facts known since Chan, Golub, LeVeque 1983 and Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., section 1.9 and problem 1.10. Of this bound right kernels reach 0.5 in float32, 0.93
/// in bfloat16 and 0.91 in float16 (3 runs of the default suite each), and 0.99 where a one-pass variance comes out as
/// 0.
struct NormalizationBound {
  NormalizationKind kind = NormalizationKind::layer;
  VarianceAlgorithm algorithm = VarianceAlgorithm::two_pass;
  bool folded = false;
  double epsilon = 0;  ///< of the problem
  double count = 1;    ///< elements of a lane
  double unit = 0;
  double function_error = 0;  ///< of an elementary function, relative
  double growth = 0;          ///< growth factor of sums over a lane
  double underflow = 0;       ///< η
  double largest = 0;         ///< largest finite number of the accumulator

  /// The growth factor of sums over a lane, with its story.
  [[nodiscard]] static GrowthFactor growth_of(const NormalizationProblem& problem, RoundingModel model,
                                              const Arithmetic& arithmetic) {
    const Index terms = problem.lane_length();
    return positive_growth_factor(terms, 2 * static_cast<double>(terms) * static_cast<double>(problem.lanes()),
                                  arithmetic.accumulation, model);
  }

  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static NormalizationBound of(const NormalizationProblem& problem, RoundingModel model,
                                             const Arithmetic& arithmetic) {
    NormalizationBound bound{problem.kind, problem.variance, problem.folded, problem.epsilon,
                             static_cast<double>(problem.lane_length())};
    bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
    bound.function_error = arithmetic.function_error() + 0x1p-51;
    bound.growth = growth_of(problem, model, arithmetic).value + bound.count * 0x1p-53;
    bound.underflow = 4 * arithmetic.accumulation.min_subnormal;
    bound.largest = arithmetic.accumulation.max_finite;
    return bound;
  }

  /// The row of a mean and a variance in exact arithmetic.
  [[nodiscard]] ASSAY_FUNCTION NormalizationRow row_of(double mean, double variance) const {
    NormalizationRow row;
    row.mean = mean;
    row.variance = variance;
    const double sum = variance + epsilon;
    row.inverse = 1 / std::sqrt(sum);
    const bool given = kind == NormalizationKind::batch;
    if (!is_finite(mean) || !is_finite(variance)) {
      // one special value decides: but running means lose infinities, and where 0 is the least variance NaN may become
      // it
      row.reach = infinity();
      if (!given && algorithm != VarianceAlgorithm::two_pass)
        row.mean_error = row.variance_error = row.inverse_error = row.offset_error = infinity();
      return row;
    }
    const double size = detail::absolute(mean), root_mean_square = std::sqrt(variance + mean * mean);
    if (!given) {
      const double share = growth + function_error + 4 * unit;
      if (kind != NormalizationKind::rms)
        row.mean_error = growth * root_mean_square + (function_error + 2 * unit) * size + underflow;
      const double square = row.mean_error * row.mean_error, running = share * root_mean_square;
      switch (algorithm) {
        case VarianceAlgorithm::two_pass: row.variance_error = share * (variance + square) + square; break;
        case VarianceAlgorithm::welford:
          row.variance_error = share * variance + 2 * std::sqrt(variance) * running + running * running;
          break;
        case VarianceAlgorithm::one_pass:
          row.variance_error = share * (variance + mean * mean) + 2 * size * row.mean_error + square;
          break;
      }
      row.variance_error += underflow;
      const bool may_overflow = !(count * (variance + mean * mean + row.variance_error) <= largest / 2 &&
                                  count * root_mean_square * (1 + growth) <= largest / 2);
      if (may_overflow) row.mean_error = row.variance_error = infinity();
    }
    row.inverse_error = inverse_error(sum, row.inverse, row.variance_error);
    const double most = row.inverse + row.inverse_error;
    row.offset_error = most * row.mean_error * (1 + 8 * unit) + (1 + most) * underflow;
    row.slope_error = (row.inverse_error + 5 * unit * most) * (1 + 8 * unit) + underflow;
    if (folded) {
      row.offset_error += 4 * unit * most * (size + row.mean_error);
      row.slope_error += 2 * unit * most;
    }
    row.reach = most > 1 ? largest / (4 * most) : largest / 4;
    if (folded && !(size <= row.reach)) row.offset_error = infinity();
    if (!is_finite(row.slope_error) || !is_finite(row.offset_error))
      row.offset_error = row.slope_error = row.inverse_error = infinity();
    return row;
  }
  /// Whether no intermediate result of an element overflows.
  [[nodiscard]] ASSAY_FUNCTION bool within_reach(const NormalizationRow& row, double distance, double value) const {
    return detail::absolute(distance) <= row.reach && detail::absolute(value) <= largest / 4;
  }
  /// Of y's own size.
  [[nodiscard]] ASSAY_FUNCTION double output_share() const { return folded ? 2 * unit : unit; }

  /// +∞ as a double, on devices, too.
  [[nodiscard]] ASSAY_FUNCTION static double infinity() { return detail::double_of(binary64_layout.infinity_bits()); }

 private:
  /// Of 1/√sum, where sum = σ² + ε is off by `variance_error` and two roundings, but never below ε.
  [[nodiscard]] ASSAY_FUNCTION double inverse_error(double sum, double inverse, double variance_error) const {
    if (!(sum >= 0) || !is_finite(variance_error)) return sum >= 0 ? infinity() : 0;
    if (sum == 0) return variance_error > 0 ? infinity() : 0;  // 1/0 is right
    const double error = variance_error + 2 * unit * (sum + variance_error) + underflow,
                 floor = epsilon * (1 - 4 * unit) - underflow;
    const double least = sum - error > floor ? sum - error : floor;
    if (!(least > 0) || !(sum + error <= largest)) return infinity();
    const double above = 1 / std::sqrt(least) - inverse, below = inverse - 1 / std::sqrt(sum + error);
    const double larger = above > below ? above : below;
    return larger + 2 * function_error * (inverse + larger);
  }
};

}  // namespace assay::inline v0
