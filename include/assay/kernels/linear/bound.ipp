#pragma once

#include "assay/kernels/linear/bound.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// How far dequantized elements may be from what they stand for: 0 where the format holds them all. Of expanded ones
/// both parts and their difference are rounded.
[[nodiscard]] constexpr double dequantizing_error(const LinearMatrix& matrix, const ElementFormat& format,
                                                  double accumulator_unit, bool expanded) {
  if (!matrix.is_block_scaled() || !(format.unit_roundoff() > accumulator_unit)) return 0;
  const bool table = matrix.scheme.element.kind == CodeKind::table;
  if (scale_roundings(matrix) == 0 && !table && matrix.scheme.element.fraction_bits() < format.layout.precision())
    return 0;
  const int roundings = scale_roundings(matrix) + (table || (expanded && matrix.scheme.zero_points) ? 1 : 0);
  return format.unit_roundoff() * (roundings > 0 ? roundings : 1);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE ExplainedLinearBound linear_bound(const LinearProblem& problem, RoundingModel model,
                                                             const Arithmetic& arithmetic) {
  using detail::number;
  GemmProblem product;
  product.m = problem.m;
  product.n = problem.columns_of_b();
  product.k = problem.k;
  ExplainedLinearBound explained;
  LinearBound& bound = explained.bound;
  bound.arithmetic = BoundedArithmetic(arithmetic);
  bound.integer = problem.is_integer();
  const double u = arithmetic.unit_roundoff();
  if (bound.integer) {
    explained.derivation = {
        "products of 8-bit integers add up exactly in 32 bits while the sum of magnitudes stays below 2^31: E_P = 0"};
  } else {
    ExplainedGemmBound sum = gemm_bound(product, arithmetic.accumulation, model, problem.terms(), false);
    bound.sum = sum.bound;
    explained.derivation = sum.derivation;
    if (model != RoundingModel::exact) {
      const int roundings = detail::scale_roundings(problem.a) + detail::scale_roundings(problem.b) +
                            (problem.expanded_zero_points ? 1 : 0);
      bound.factors = gamma_bound(roundings, u);
      bound.expanded = problem.expanded_zero_points;
      bound.dequantized = detail::dequantizing_error(problem.a, problem.dequantized, u, bound.expanded) +
                          detail::dequantizing_error(problem.b, problem.dequantized, u, bound.expanded);
      const auto holding = [&](const LinearMatrix& matrix) {
        const int roundings_of_element =
            detail::scale_roundings(matrix) + (matrix.scheme.element.kind == CodeKind::table ? 1 : 0);
        const double unit = problem.dequantized.unit_roundoff();
        return LinearHolding::of(problem, matrix, roundings_of_element, unit > u ? unit : u, arithmetic.accumulation);
      };
      bound.a = holding(problem.a);
      bound.b = holding(problem.b);
      if (bound.needs_ranges()) bound.scaling = LinearScaling::of(arithmetic.accumulation);
      if (model == RoundingModel::statistical)
        bound.confidence =
            confidence_factor(static_cast<double>(problem.m) * static_cast<double>(product.n), default_case_risk);
      if (problem.expanded_zero_points)
        explained.derivation.push_back("zero points may be expanded: S = sum |a|(|code| + |zero point|)*scale");
      if (roundings > 0)
        explained.derivation.push_back(std::to_string(roundings) +
                                       " roundings a term by scales and zero points: " + number(bound.factors) + "*S");
      if (bound.dequantized > 0)
        explained.derivation.push_back(
            std::string("elements dequantized to ") + problem.dequantized.name + ": " + number(bound.dequantized) +
            (bound.confidence > 0 ? "*lambda*sqrt(sum (ab)^2), lambda = " + number(bound.confidence) : "*S"));
      if (bound.needs_ranges()) {
        const LinearHolding& held = bound.b.underflow > 0 ? bound.b : bound.a;
        explained.derivation.push_back("where elements underflow as they are held, below " + number(held.least_normal) +
                                       ": " + number(held.underflow) + "*sum |other operand| more; where they pass " +
                                       number(held.largest) +
                                       ": nothing is known; likewise where products of their scales or codes do");
      }
    }
  }
  if (problem.has_epilogue())
    explained.derivation.push_back(
        "scales, bias, activation, residual, output scale: running error analysis of their formula, u = " +
        number(bound.arithmetic.unit) + ", functions " + number(bound.arithmetic.function_error) +
        " (Higham, Accuracy and Stability, section 3.3)");
  return explained;
}

}  // namespace assay::inline v0
