#pragma once

#include <cmath>

#include "assay/kernels/normalization_backward/problem.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// What all elements that share a mean have in common: with x̂ = (x − mean)·inverse and t = G − mean_gradient −
/// x̂·projection, dx is inverse·t, and E is inverse_most·(constant_error + slope_error·|x̂| + 4u·|G|) +
/// inverse_share·|t|.
struct NormalizationBackwardRow {
  double mean = 0;
  double inverse = 0;
  double inverse_error = 0;  ///< of 1/√(variance + ε), absolute
  double mean_gradient = 0;  ///< mean(G)
  double projection = 0;     ///< mean(G·x̂)
  double constant_error = 0;
  double slope_error = 0;
};

/// What the bound of a normalization's gradients is made of. With g = g(n) of n elements a mean, u the accumulator's
/// unit roundoff, ε_f an elementary function's error, ρ = δr/r + 3u the relative error of x̂ (δr = 0 where r is given,
/// else (2ε_f + 2u)·r), c₁ = mean(G), c₂ = mean(G·x̂):
///
///   δc₁ = (g + ε_f + 2u)·mean|G|, δc₂ = (g + ε_f + 3u + ρ)·mean|G·x̂| E = (r + δr)·(δc₁ + |x̂|·δc₂ + ρ·|x̂·c₂| +
///   4u·(|G| + |c₁| + |x̂·c₂|)) + (δr + 2u·r)·|G − c₁ − x̂·c₂|
///
/// and for the parameters, with M = outer·inner terms, (g(M) + 2u + ρ)·Σ|dy·x̂| and g(M)·Σ|dy|. Where folded, Σ G·x and
/// μ·Σ G are rounded by themselves: |G·x̂| grows by 2r·|μ|·|G| in δc₂, |dy·x̂| by 2r·|μ|·|dy|, and dx = r·G + b·x + c
/// has u·r·(|c₂| + δc₂)·(4|x̂| + 8r·|μ|) more. Each step is a sum or a product of rounded terms: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., sections 3.1, 3.3 and 4.2. Of this bound right kernels reach 0.34 in
/// float32, 0.59 in bfloat16, and 0.99 in float16 (the one rounding of a sum of one term).
struct NormalizationBackwardBound {
  bool folded = false;
  double unit = 0;
  double function_error = 0;    ///< of an elementary function, relative
  double growth = 0;            ///< over what a mean is taken of
  double parameter_growth = 0;  ///< over all elements of a channel
  double underflow = 0;         ///< η
  double largest = 0;           ///< largest finite number of the accumulator

  /// The growth factor of sums of that many terms, with its story.
  [[nodiscard]] static GrowthFactor growth_of(const NormalizationProblem& problem, Index terms, RoundingModel model,
                                              const Arithmetic& arithmetic) {
    const double elements = static_cast<double>(problem.outer) * static_cast<double>(problem.channels * problem.inner);
    return positive_growth_factor(terms, 2 * elements, arithmetic.accumulation, model);
  }
  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static NormalizationBackwardBound of(const NormalizationBackwardProblem& problem, RoundingModel model,
                                                     const Arithmetic& arithmetic) {
    const NormalizationProblem& forward = problem.forward;
    const Index lane = forward.lane_length(), channel = forward.outer * forward.inner;
    NormalizationBackwardBound bound;
    bound.folded = forward.folded;
    bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
    bound.function_error = arithmetic.function_error() + 0x1p-51;
    bound.growth = growth_of(forward, lane, model, arithmetic).value + static_cast<double>(lane) * 0x1p-53;
    bound.parameter_growth =
        growth_of(forward, channel, model, arithmetic).value + static_cast<double>(channel) * 0x1p-53;
    bound.underflow = 4 * arithmetic.accumulation.min_subnormal;
    bound.largest = arithmetic.accumulation.max_finite;
    return bound;
  }

  /// δr/r + 3u.
  [[nodiscard]] ASSAY_FUNCTION double normalized_share(const NormalizationBackwardRow& row) const {
    return 3 * unit + (row.inverse_error > 0 ? row.inverse_error / row.inverse : 0);
  }

  /// Completes a row from its means: of |G| and |G·x̂|.
  ASSAY_FUNCTION void complete(NormalizationBackwardRow& row, double mean_size, double projection_size) const {
    const double share = normalized_share(row), shift = folded ? 2 * detail::absolute(row.mean) * row.inverse : 0;
    const double gradient_error = (growth + function_error + 2 * unit) * mean_size,
                 size = detail::absolute(row.projection);
    const double projection_error =
        (growth + function_error + 3 * unit + share) * (projection_size + shift * mean_size);
    row.constant_error =
        gradient_error + 4 * unit * detail::absolute(row.mean_gradient) + underflow * (2 + row.inverse);
    row.slope_error = projection_error + (share + 4 * unit) * size + underflow;
    if (folded) {
      const double slope = size + projection_error;  // a kernel's c₂: where x̂ is small against r·|μ|, its error alone
      row.constant_error += 4 * unit * slope * shift;
      row.slope_error += 4 * unit * slope;
    }
  }
};

}  // namespace assay::inline v0
