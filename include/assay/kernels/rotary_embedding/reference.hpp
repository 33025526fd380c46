#pragma once

#include <cmath>

#include "assay/kernels/detail/stored_between.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/rotary_embedding/problem.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// References and bounds of a rotary embedding; nothing is stored.
///
/// With u the accumulator's unit roundoff and ε an elementary function's error, an angle θ = p·f, f = base^(−2i/r),
/// that is computed in the accumulator is off by
///
///   δ = |θ|·(ε + 3u + 2u·(2i/r)·|ln base|)
///
/// (the power rounds its exponent; then f, p and the product are rounded; (p + 1)·η more), or by 2⁻⁵⁰|θ| only where
/// exact angles are promised. Its cosine c and sine s then are off by min(δ, 2) + ε|c|, and x·c − y·s by running error
/// analysis (tolerance/bounded.hpp). Of tables in the output's format both are rounded to that. Nothing is known where
/// the accumulator holds neither p nor the base. Elements that are not rotated are copied: E = 0.
struct RotaryEmbeddingExpected {
  RotaryEmbeddingProblem problem;
  BoundedArithmetic arithmetic;
  Operand input, positions;
  int output = 0;

  /// The angle of a pair at a position, in radians, with its error.
  [[nodiscard]] ASSAY_FUNCTION Bounded angle(double position, Index pair) const {
    const double exponent = 2 * static_cast<double>(pair) / static_cast<double>(problem.rotary_dimension);
    const double theta = position * problem.position_scale * std::pow(problem.base, -exponent),
                 size = detail::absolute(theta);
    if (theta == 0 && position == 0) return {0, 0};
    if (problem.angles == AngleArithmetic::exact) return {theta, size * 0x1p-50};
    const double u = arithmetic.unit, scaling = problem.position_scale != 1 ? 2 * u : 0;
    if (position > arithmetic.largest || problem.base > arithmetic.largest ||
        detail::absolute(std::log(problem.base)) * exponent > std::log(arithmetic.largest))
      return {theta, BoundedArithmetic::infinity()};
    return {theta, (position * problem.position_scale + 1) * arithmetic.underflow +
                       size * (arithmetic.function_error + 3 * u + scaling +
                               2 * u * exponent * detail::absolute(std::log(problem.base)))};
  }
  /// The position of the token in that row.
  [[nodiscard]] ASSAY_FUNCTION double position(Index row) const {
    const Index token = row / problem.heads, sequence = token % problem.sequence;
    return problem.given_positions ? positions.load(token) : static_cast<double>(problem.offset + sequence);
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index head = row % problem.heads, token = row / problem.heads;
    const Index start = token / problem.sequence * input.strides[0] + token % problem.sequence * input.strides[1] +
                        head * input.strides[2];
    const double own = input.format.load(input.data, start + column * input.strides[3]);
    if (column >= problem.rotary_dimension) return {own, 0};
    const double other = input.format.load(input.data, start + problem.partner(column) * input.strides[3]);
    Bounded theta = angle(position(row), problem.pair(column));
    if (!is_finite(theta.error)) return {0, theta.error};
    theta.error = theta.error < 2 ? theta.error : 2;
    const Bounded cosine = stored(arithmetic.cos(theta)), sine = stored(arithmetic.sin(theta));
    if (uncertain(own, cosine) || uncertain(other, sine)) return {0, BoundedArithmetic::infinity()};
    const Bounded turned = arithmetic.multiply(arithmetic.exact(other), sine);
    const bool subtracted = problem.is_first(column) != problem.inverse;
    return arithmetic
        .add(arithmetic.multiply(arithmetic.exact(own), cosine), subtracted ? arithmetic.negate(turned) : turned)
        .expected();
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION Bounded stored(Bounded factor) const {
    return problem.rounded_tables ? detail::stored_between(problem.output, factor) : factor;
  }
  /// An infinity times a factor whose sign is not known.
  [[nodiscard]] ASSAY_FUNCTION static bool uncertain(double x, Bounded factor) {
    return is_infinite(x) && factor.error > 0 && detail::absolute(factor.value) <= factor.error;
  }
};

/// The reference, which reads the operands where they are; O(1) memory.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<RotaryEmbeddingExpected>> rotary_embedding_reference(
    B&, typename B::Stream&, const RotaryEmbeddingProblem& problem, const OperandArray& operands,
    const Arithmetic& arithmetic) {
  return OperationReference<RotaryEmbeddingExpected>{{problem, BoundedArithmetic(arithmetic), operands[0], operands[1]},
                                                     nullptr};
}

}  // namespace assay::inline v0
