#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/linear/holding.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// The largest error of a linear layer's sum P = Σ a·b, before anything that is fused into it. With S = Σ |a·b|, Q = Σ
/// (a·b)², u the accumulator's unit roundoff:
///
///   E_P = g(L)·S + c·u·S + d + r + p + underflow, d = λ·u_d·√Q, or u_d·S where A's signs are not random
///
/// - g(L): L = k products (k/2 of sparse weights) in any order, as for `GemmBound`.
/// - c·u: dequantizing. A term code_a·scale_a·code_b·scale_b is rounded c times more than a product, whether elements
///   are dequantized first or partial sums of blocks are scaled: once for each table of scales that are not powers of
///   two, once for each scale of a whole tensor. Codes less their zero points are exact, unless the problem admits that
///   they are expanded: then S and Q are those of |a|·(|code| + |zero point|)·scale, and c is greater by one, for both
///   parts and their difference are rounded.
/// - d: elements that are dequantized into a format of unit roundoff u_d before they are multiplied. Each errs by u_d
///   for each of its roundings, relative to itself (expanded: to both parts) at most, whatever the other operand is;
///   over data whose A has random signs of its own the errors add up to at most λ·u_d·√Q (Hoeffding, JASA 58 (1963),
///   theorem 2).
/// - r: elements outside the normal range of the format in which they are held (`LinearHolding`). Below it an element
///   that is not one of the format's numbers errs by h, half the smallest number for each rounding: r = h_a·Σ|b| +
///   h_b·Σ|a| + L·h_a·h_b, magnified by the other errors, with h = 0 for a row or column without such elements. Where
///   one may pass the format's largest number, E_P is infinite.
/// - p: scales and sums of codes that leave the accumulator's range where they are multiplied before they meet the
///   others, `LinearScaling`; 0 in its normal range.
/// - An infinite scale times a sum of codes is infinite or NaN as the kernel sums up, and so is an infinite sum whose
///   zero points are expanded, ∞ − ∞: nothing is known.
/// - Products of 8-bit integers are exact in 32 bits while k·255² < 2³¹, modulo 2³² whatever is subtracted when: E_P =
///   0. Beyond, nothing is known.
///
/// Over the default suite the largest error over E of right kernels in float32, in 16-bit and in short accumulators is
/// 0.69 (0.92 in 16 bits) for fused layers, 0.49 grouped, 0.40 scaled, 0.32 weight-only, 0.74 sparse.
///
/// What follows (scales of vectors, bias, activation, residual, output scale) is a formula of `BoundedArithmetic`. A
/// bias, and without activation the residual too, may be where the sum begins: g of them is added.
struct LinearBound {
  GemmBound sum;
  BoundedArithmetic arithmetic;
  double factors = 0;      ///< c·u
  double dequantized = 0;  ///< u_d, of both operands
  double confidence = 0;   ///< λ; 0: u_d·S instead of λ·u_d·√Q
  bool integer = false;    ///< sums are of integers, and exact
  LinearHolding a, b;      ///< of the two factors
  LinearScaling scaling;   ///< of their codes and scales
  bool expanded = false;   ///< zero points may be expanded

  /// Whether Q is needed.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool needs_squares() const { return dequantized > 0 && confidence > 0; }
  /// Whether the range in which elements are held may matter.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool needs_ranges() const { return a.underflow > 0 || b.underflow > 0; }

  /// The result of a row and column from its sums; E is infinite where a sum may overflow.
  [[nodiscard]] ASSAY_FUNCTION Bounded of_sum(double product, double magnitude, double squares,
                                              double output_max) const {
    if (!is_finite(product)) return {product, expanded && is_infinite(product) ? BoundedArithmetic::infinity() : 0};
    if (integer) return {product, magnitude < 0x1p31 ? 0 : BoundedArithmetic::infinity()};
    const double rounding =
        needs_squares() && confidence * std::sqrt(squares) < magnitude ? confidence * std::sqrt(squares) : magnitude;
    return {product, sum.error(product, magnitude, 0, output_max) + factors * magnitude + dequantized * rounding};
  }
  /// A sum with r and p of its row and column. An infinity may have met a number that underflows to 0, or one that
  /// overflows to the other infinity.
  [[nodiscard]] ASSAY_FUNCTION Bounded held(Bounded result, const LinearHeld& row, const LinearHeld& column,
                                            double terms) const {
    if (is_nan(result.value))
      return {result.value, row.infinite_scale || column.infinite_scale ? BoundedArithmetic::infinity() : 0};
    double lost = scaling.lost(row, column);
    if (row.lost > 0 || column.lost > 0)
      lost += row.lost * column.size + column.lost * row.size + terms * row.lost * column.lost;
    if (lost == 0) return result;
    if (!is_finite(result.value) || !is_finite(lost)) return {result.value, BoundedArithmetic::infinity()};
    return {result.value, result.error + (1 + sum.growth + factors + dequantized) * lost};
  }
};

/// A bound and where it comes from.
struct ExplainedLinearBound {
  LinearBound bound;
  std::vector<std::string> derivation;  ///< one step a line
};

namespace detail {

/// Roundings of a term by the scales of one operand.
[[nodiscard]] constexpr int scale_roundings(const LinearMatrix& matrix) {
  if (!matrix.is_block_scaled()) return 0;
  return (matrix.scheme.scale.holds_only_powers_of_two() ? 0 : 1) + (matrix.has_tensor_scale() ? 1 : 0);
}
}  // namespace detail

/// The bound of that problem; independent rounding errors where `model` allows them.
[[nodiscard]] ExplainedLinearBound linear_bound(const LinearProblem& problem, RoundingModel model,
                                                const Arithmetic& arithmetic);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/bound.ipp"
#endif
