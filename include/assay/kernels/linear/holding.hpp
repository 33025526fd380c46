#pragma once

#include "assay/kernels/linear/problem.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// In what kernels may hold the elements of an operand between dequantising and multiplying them: what bounds need of its range, which is the narrower of the dequantised elements' format
/// and the accumulator's.
struct LinearHolding {
  double largest = 0;         ///< finite number
  double least_normal = 0;    ///< smallest number of full precision
  double least = 0;           ///< smallest number at all
  double underflow = 0;       ///< h, what an element below `least_normal` may be off by; 0: the range does not matter
  double relative_error = 0;  ///< of an element before it is rounded a last time

  /// That of a block-scaled operand whose elements are rounded so many times by `unit_roundoff`; where they are exact, once by their range.
  [[nodiscard]] static LinearHolding of(const LinearProblem& problem, const LinearMatrix& matrix, int roundings, double unit_roundoff,
                                        const AccumulationModel& accumulation) {
    LinearHolding holding;
    if (!matrix.is_block_scaled()) return holding;
    const ElementFormat& format = problem.dequantised;
    const auto larger = [](double a, double b) { return a > b ? a : b; };
    const double parts = problem.expanded_zero_points && matrix.scheme.zero_points ? 2 : 1;  // code and zero point, each by itself
    holding.largest = format.max_finite() < accumulation.max_finite ? format.max_finite() : accumulation.max_finite;
    holding.least_normal =
        larger(power_of_two(format.layout.min_exponent()), accumulation.min_subnormal * power_of_two(accumulation.precision - 1));
    holding.least = larger(format.min_subnormal(), accumulation.min_subnormal);
    // accumulators may flush or cut: a whole unit of theirs
    holding.underflow = parts * (roundings > 1 ? roundings : 1) * larger(format.min_subnormal() / 2, accumulation.min_subnormal);
    holding.relative_error = (roundings > 1 ? roundings - 1 : 0) * unit_roundoff;
    return holding;
  }
};

/// What the elements of a vector, a row of A or a column of B, come to where they are held so.
struct LinearHeld {
  double size = 0;  ///< Σ|x|
  double lost = 0;  ///< the largest error of an element by underflow; ∞ where one may overflow

  /// Adds an element, or a part of it that is held by itself.
  ASSAY_FUNCTION void add(const LinearHolding& holding, double element) {
    const double magnitude = detail::absolute(element);
    size += magnitude;
    if (holding.underflow == 0 || !is_finite(magnitude)) return;
    if (magnitude * (1 + holding.relative_error) > holding.largest) lost = BoundedArithmetic::infinity();
    if (magnitude < holding.least_normal && !holds(holding, magnitude) && lost < holding.underflow) lost = holding.underflow;
  }

 private:
  /// Whether a number below the normal ones is one of the format's.
  [[nodiscard]] ASSAY_FUNCTION static bool holds(const LinearHolding& holding, double magnitude) {
    const double units = magnitude / holding.least;
    return units == static_cast<double>(static_cast<Index>(units));
  }
};

}  // namespace assay::inline v0
