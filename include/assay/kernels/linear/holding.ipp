#pragma once

#include "assay/kernels/linear/holding.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE LinearHolding LinearHolding::of(const LinearProblem& problem, const LinearMatrix& matrix,
                                                           int roundings, double unit_roundoff,
                                                           const AccumulationModel& accumulation) {
  LinearHolding holding;
  if (!matrix.is_block_scaled()) return holding;
  const ElementFormat& format = problem.dequantized;
  const auto larger = [](double a, double b) { return a > b ? a : b; };
  const double parts =
      problem.expanded_zero_points && matrix.scheme.zero_points ? 2 : 1;  // code and zero point, each by itself
  holding.largest = format.max_finite() < accumulation.max_finite ? format.max_finite() : accumulation.max_finite;
  holding.least_normal = larger(power_of_two(format.layout.min_exponent()), detail::least_normal_of(accumulation));
  holding.least = larger(format.min_subnormal(), accumulation.min_subnormal);
  // accumulators may flush or cut: a whole unit of theirs
  holding.underflow =
      parts * (roundings > 1 ? roundings : 1) * larger(format.min_subnormal() / 2, accumulation.min_subnormal);
  holding.relative_error = (roundings > 1 ? roundings - 1 : 0) * unit_roundoff;
  return holding;
}

}  // namespace assay::inline v0
