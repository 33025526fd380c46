#pragma once

#include <cmath>

#include "assay/kernels/softmax/problem.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// What the bound of a softmax is made of. With z = x/temperature, m = max z, s = Σ exp(z_j − m), u the accumulator's
/// unit roundoff and ε an elementary function's error, the exponential of one element is off by
///
///   d_j = 2u·|z_j − m| + ε + 2u·|z_j| (the last where temperature ≠ 1)
///
/// relative to itself: the subtraction rounds, 2^(x·log2 e) rounds its argument, the division by the temperature
/// rounds. Then y_i = exp(z_i − m)/s is off by
///
///   rel_i = d_i + Σ_j y_j·d_j + g(n) + ε + R·(ε + u) + u·range
///
/// relative to itself, and log y_i is off absolutely by 2u·|z_i − m| + 2u·|z_i| + (rel − d_i) + ε·|log s| + 2u·(|m| +
/// |log s| + |log y_i|).
///
/// Σ_j y_j·d_j is had from s. The distances m − z_j of the n − 1 elements beside the maximum, weighted with t_j =
/// exp(z_j − m), come to Σ −t_j·log t_j, which is largest where all t_j are (s − 1)/(n − 1), as −t·log t is concave:
/// Σ_j y_j·|z_j − m| ≤ (1 − 1/s)·log((n − 1)/(s − 1)), and Σ_j y_j·|z_j| is at most |m| more.
///
/// R·(ε + u) + u·range is what kernels lose that find the maximum as they go and rescale their sum R times (R = 4 +
/// log2 n; more only on ascending data). Nothing is known of rows whose maximum the accumulator does not hold, nor of
/// logarithms on whose way is a number that it does not hold, unless no format here holds more. After Blanchard,
/// Higham, Higham, "Accurately computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 41 (2021),
/// sections 3 and 4.
struct SoftmaxBound {
  double unit = 0;
  double function_error = 0;  ///< ε
  double growth = 0;          ///< growth factor of the sum
  double rescaling = 0;       ///< R·(ε + u)
  double underflow = 0;       ///< η
  double largest = detail::double_of(
      binary64_layout.infinity_bits());  ///< of the accumulator, where inputs or outputs hold larger ones

  /// The growth factor of the sum over a row, with its story.
  [[nodiscard]] static GrowthFactor growth_of(const SoftmaxProblem& problem, RoundingModel model,
                                              const Arithmetic& arithmetic) {
    return positive_growth_factor(
        problem.length, static_cast<double>(problem.length) * static_cast<double>(problem.outer * problem.inner),
        arithmetic.accumulation, model);
  }
  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static SoftmaxBound of(const SoftmaxProblem& problem, RoundingModel model,
                                       const Arithmetic& arithmetic) {
    SoftmaxBound bound;
    const double terms = static_cast<double>(problem.length);
    bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
    bound.function_error = arithmetic.function_error() + 0x1p-50;
    bound.growth = growth_of(problem, model, arithmetic).value + terms * 0x1p-53;
    bound.rescaling = (4 + std::log2(terms + 1)) * (bound.function_error + bound.unit);
    bound.underflow = 2 * arithmetic.accumulation.min_subnormal;
    const double accumulator = arithmetic.accumulation.max_finite;
    if (accumulator < problem.input.max_finite() || accumulator < problem.output.max_finite())
      bound.largest = accumulator;
    return bound;
  }
  /// Whether the accumulator holds a number that may have been rounded twice.
  [[nodiscard]] ASSAY_FUNCTION bool holds(double value) const {
    return detail::absolute(value) * (1 + 4 * unit) <= largest;
  }
};

}  // namespace assay::inline v0
