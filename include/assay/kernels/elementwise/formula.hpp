#pragma once

#include <cmath>

#include "assay/kernels/elementwise/problem.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// The functions, each with its bound. With u the accumulator's unit roundoff, ε the relative error that an elementary
/// function is granted, η its smallest number, and everything read exactly as it is stored:
///
/// - cast, relu, maximum, minimum: E = 0, they select. A cast is rounded as the problem says, so its result is one
///   number; of 64-bit integers beyond 2⁵³, which doubles do not hold, nothing is known.
/// - add, subtract, multiply: E = u|r| + η; 0 where the output has the accumulator's format, since then the one
///   rounding is the output's. multiply_add: u|x·y| and u|r|, of which a fused one has the second only. scale_shift:
///   2u|a·x| + u|b| + u|r|, a and b being rounded, too.
/// - exp: ε + 1.25u|x| (2^(x·log2 e) rounds its argument and log2 e, the latter by 0.22u in float32), all others of one
///   call: ε|r|.
/// - σ: y·(e^ρ − 1), ρ = (1 − σ)(ε + 2u|x|) + u + ε: the condition number of 1/(1 + t) for an error of t = e^−x is 1 −
///   σ.
/// - silu: as σ, and u more. Where e^−x overflows the accumulator, 0 is right, too: E = |y|.
/// - softplus: σ(x)(ε + 2u|x|) + ε·r + u·r: of log1p(e^x) and of max(x, 0) + log1p(e^−|x|); kernels that give x above
///   20 leave out e^−x.
/// - gelu: |x|/2·(ε·max(|erf z|, 1 + erf z) + (2/√π)·3u·|z|·exp(−z²)) + 4u|y|, z = x/√2: by erf, whose 1 + erf cancels
///   for x < 0, or by erfc.
/// - gelu_tanh: with s = σ(2z), z = √(2/π)(x + 0.044715x³), which has one sign and is off by δ = 6u|z|: y = x·s, and E
///   = max(|x|/2·ε·|2s − 1|, |y|·ε·(2 − s)) + |y|·((1 − s)(2δ + 4u|z|) + 4u): by tanh or by σ.
/// - The derivatives follow from running error analysis (tolerance/bounded.hpp), and may be multiplied into the
///   gradient factor by factor: dy·σ·(…), whose first product may underflow. That of softplus is 1 or σ above 20, and
///   dy·e^x/(1 + e^x) below, whose first product may overflow.
///
/// First-order conditions after Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 1.6. Nothing
/// is known of silu and both gelu of −∞ (−∞·0 or the limit 0), of gelu beyond half of the largest number, of the
/// derivative of relu at NaN, nor of infinite gradients where a derivative may be 0.
struct ElementwiseFormula {
  ElementwiseProblem problem;
  BoundedArithmetic arithmetic;
  bool one_rounding = false;  ///< the accumulator's rounding is the output's
  double output_largest = 0;

  ElementwiseFormula() = default;
  /// The formula of that problem in the arithmetic that a kernel promises.
  ElementwiseFormula(const ElementwiseProblem& of, const Arithmetic& promised)
      : problem(of), arithmetic(promised), output_largest(of.output.max_finite()) {
    const AccumulationModel& sums = promised.accumulation;
    one_rounding = !sums.truncating && of.output.is_float() && sums.precision == of.output.layout.precision() &&
                   sums.max_finite == of.output.max_finite() && sums.min_subnormal == of.output.min_subnormal();
  }

  /// Whether E = 0 for all operands.
  [[nodiscard]] constexpr bool error_free() const {
    using enum ElementwiseFunction;
    const ElementwiseFunction f = problem.function;
    return !problem.backward && (f == relu || f == maximum || f == minimum ||
                                 (f == cast && problem.output.is_float() && !problem.input.wide_integer) ||
                                 (one_rounding && (f == add || f == subtract || f == multiply)));
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(double x, double y, double z) const {
    return problem.backward ? gradient(x, y) : value(x, y, z);
  }

  /// F(x, y, z), with E; operands that the function does not read do not count.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement value(double x, double y, double z) const {
    const double u = arithmetic.unit, epsilon = arithmetic.function_error;
    switch (problem.function) {
      case ElementwiseFunction::cast:
        if ((is_nan(x) && !problem.output.is_float()) ||
            ((problem.input.wide_integer || problem.output.wide_integer) && detail::absolute(x) > 0x1p53))
          return nothing_known();
        return {problem.output.round(x, problem.rounding, problem.saturating ? Overflow::saturate : Overflow::ieee), 0};
      case ElementwiseFunction::relu:
        return {is_nan(x) ? (problem.nan_policy == NanPolicy::number ? 0 : x) : x > 0 ? x : 0, 0};
      case ElementwiseFunction::gelu: return gelu(x);
      case ElementwiseFunction::gelu_tanh: return gelu_tanh(x);
      case ElementwiseFunction::silu: return silu(x);
      case ElementwiseFunction::sigmoid: return sigmoid(x);
      case ElementwiseFunction::tanh: return relative(std::tanh(x), epsilon);
      case ElementwiseFunction::softplus: return softplus(x);
      case ElementwiseFunction::exp: return relative(std::exp(x), std::expm1(epsilon + 1.25 * u * detail::absolute(x)));
      case ElementwiseFunction::log: return relative(std::log(x), epsilon);
      case ElementwiseFunction::sqrt: return relative(std::sqrt(x), epsilon);
      case ElementwiseFunction::rsqrt: return relative(1 / std::sqrt(x), epsilon);
      case ElementwiseFunction::sin: return relative(std::sin(x), epsilon);
      case ElementwiseFunction::cos: return relative(std::cos(x), epsilon);
      case ElementwiseFunction::erf: return relative(std::erf(x), epsilon);
      case ElementwiseFunction::scale_shift: {
        const double product = problem.a * x, r = product + problem.b;
        return settled(r, 2 * u * detail::absolute(product) + u * detail::absolute(problem.b) + u * detail::absolute(r),
                       product);
      }
      case ElementwiseFunction::add: return rounded(x + y);
      case ElementwiseFunction::subtract: return rounded(x - y);
      case ElementwiseFunction::multiply: return rounded(x * y);
      case ElementwiseFunction::divide: return relative(x / y, epsilon);
      case ElementwiseFunction::maximum: return {larger(x, y), 0};
      case ElementwiseFunction::minimum: return {-larger(-x, -y), 0};
      case ElementwiseFunction::multiply_add: {
        const double product = x * y, r = product + z;
        if (is_infinite(r) && is_finite(product) && detail::absolute(product) > arithmetic.largest)
          return (r > 0) == (product > 0) ? ExpectedElement{r, 0} : nothing_known();
        return settled(r, u * detail::absolute(product) + u * detail::absolute(r), product);
      }
    }
    return nothing_known();
  }

  /// X·sigmoid(x).
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement silu(double x) const {
    if (x == -unknown()) return nothing_known();
    const double power = std::exp(-x), s = logistic(x, power), r = x == unknown() ? x : x * s;
    return logistic(x, s, power, r, 2);
  }
  /// 1/(1 + e⁻ˣ).
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement sigmoid(double x) const {
    const double power = std::exp(-x), s = logistic(x, power);
    return logistic(x, s, power, s, 1);
  }
  /// The form of GELU with a tanh.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement gelu_tanh(double x) const {
    if (x == -unknown()) return nothing_known();
    const double z = 0.7978845608028654 * (x + 0.044715 * x * x * x), s = logistic(2 * z, std::exp(-2 * z));
    const double y = x == unknown() ? x : x * s, size = detail::absolute(y), epsilon = arithmetic.function_error,
                 u = arithmetic.unit;
    const double by_tanh = 0.5 * detail::absolute(x) * epsilon * detail::absolute(2 * s - 1),
                 by_sigmoid = size * epsilon * (2 - s);
    const double argument = s < 1 && s > 0 ? (1 - s) * 16 * u * detail::absolute(z) : 0;
    return settled(y, (by_tanh > by_sigmoid ? by_tanh : by_sigmoid) + size * (argument + 4 * u), 2 * x);
  }

  /// Where nothing can be refuted.
  [[nodiscard]] ASSAY_FUNCTION static ExpectedElement nothing_known() { return {0, unknown()}; }
  /// +∞, the error of what is not known.
  [[nodiscard]] ASSAY_FUNCTION static double unknown() { return BoundedArithmetic::infinity(); }

 private:
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement gelu(double x) const {
    if (x == -unknown()) return nothing_known();
    const double z = x * 0.70710678118654752, e = std::erf(z), y = x == unknown() ? x : 0.5 * x * std::erfc(-z),
                 u = arithmetic.unit;
    return settled(y, 0.5 * detail::absolute(x) * erf_error(x, e) + 4 * u * detail::absolute(y), 2 * x);
  }
  /// Of 1 + erf(x/√2), computed as it stands or as erfc(−x/√2).
  [[nodiscard]] ASSAY_FUNCTION double erf_error(double x, double e) const {
    const double z = x * 0.70710678118654752, size = detail::absolute(e);
    const double argument =
        z * z < 700 ? 1.1283791670955126 * 3 * arithmetic.unit * detail::absolute(z) * std::exp(-z * z) : 0;
    return arithmetic.function_error * (size > 1 + e ? size : 1 + e) + argument;
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement softplus(double x) const {
    const double size = detail::absolute(x), r = (x > 0 ? x : 0) + std::log1p(std::exp(-size)),
                 s = logistic(x, std::exp(-x));
    if (!is_finite(x)) return {is_nan(x) || x > 0 ? x : 0, 0};
    const double u = arithmetic.unit, epsilon = arithmetic.function_error;
    const double argument = s * (epsilon + 2 * u * size);
    return settled(r, (x > 20 ? std::exp(-x) + epsilon : argument) + (epsilon + u) * r, r);
  }
  /// 1/(1 + e⁻ˣ), also where `power` = e⁻ˣ overflows: eˣ, to the last bit.
  [[nodiscard]] ASSAY_FUNCTION static double logistic(double x, double power) {
    return is_finite(power) ? 1 / (1 + power) : std::exp(x);
  }
  /// r = s or x·s, of which `power` = e^−x may overflow.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement logistic(double x, double s, double power, double r,
                                                        double roundings) const {
    const double u = arithmetic.unit, epsilon = arithmetic.function_error;
    const double condition = s < 1 ? (1 - s) * (epsilon + 2 * u * detail::absolute(x)) : 0,
                 rho = condition + roundings * u + epsilon;
    const double size = detail::absolute(r);
    return settled(
        r, (size > 0 ? size * (rho + rho * rho) : 0) + (power * (1 + condition) > arithmetic.largest ? size : 0), r);
  }
  [[nodiscard]] ASSAY_FUNCTION double larger(double x, double y) const {
    if (problem.nan_policy == NanPolicy::number) return is_nan(x) ? y : is_nan(y) ? x : x > y ? x : y;
    return is_nan(x) ? x : is_nan(y) ? y : x > y ? x : y;
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement relative(double r, double error) const {
    return settled(r, r == 0 ? 0 : detail::absolute(r) * error, r);
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement rounded(double r) const {
    if (one_rounding) return {r, 0};
    return settled(r, arithmetic.unit * detail::absolute(r), r);
  }
  /// η more; unknown where an intermediate result, or a result that the output could hold, overflows the accumulator.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement settled(double r, double error, double intermediate) const {
    if (!is_finite(r)) return {r, 0};
    const double whole = arithmetic.largest * (1 + 4 * arithmetic.unit);
    const bool beyond = intermediate != r &&
                        detail::absolute(intermediate) * (1 + 2 * arithmetic.unit) > arithmetic.largest &&
                        !(detail::absolute(r) > whole && (r > 0) == (intermediate > 0));
    const bool overflow = arithmetic.largest < output_largest && detail::absolute(r) + error > arithmetic.largest;
    return {r, beyond || overflow ? unknown() : error + arithmetic.underflow};
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement gradient(double x, double dy) const {
    if (problem.function == ElementwiseFunction::relu)
      return is_nan(x) || (!is_finite(dy) && !(x > 0)) ? nothing_known() : ExpectedElement{x > 0 ? dy : 0, 0};
    if (is_nan(x) || is_nan(dy)) return {x + dy, 0};
    const BoundedArithmetic& f = arithmetic;
    const Bounded one = f.exact(1), v = f.exact(x);
    Bounded slope;
    double lost = 0;  // where dy is multiplied by σ first
    switch (problem.function) {
      case ElementwiseFunction::sigmoid: {
        const Bounded s = logistic_value(x), rest = f.subtract(one, s);
        slope = f.multiply(s, rest);
        lost = f.underflow * rest.value;
        break;
      }
      case ElementwiseFunction::tanh: {
        const Bounded t = f.tanh(v);
        slope = f.subtract(one, f.multiply(t, t));
        break;
      }
      case ElementwiseFunction::softplus:
        slope = logistic_value(x);
        if (x > 20) slope.error += std::exp(-x);
        if (is_finite(dy) && detail::absolute(dy) * std::exp(x < 20 ? x : 20) * (1 + 0x1p-8) > f.largest)
          return nothing_known();
        break;
      case ElementwiseFunction::silu: {
        const Bounded s = logistic_value(x), rest = f.add(one, f.multiply(v, f.subtract(one, s)));
        slope = f.multiply(s, rest);
        lost = f.underflow * detail::absolute(rest.value);
        break;
      }
      case ElementwiseFunction::gelu: {
        const double e = std::erf(x * 0.70710678118654752);
        const Bounded normal{0.5 * std::erfc(x * -0.70710678118654752), 0.5 * erf_error(x, e) + f.unit};
        const Bounded density =
            f.rounded(f.multiply(f.exact(0.3989422804014327), f.exp(f.negate(f.scale(f.multiply(v, v), 0.5)))));
        slope = f.add(normal, f.multiply(v, density));
        break;
      }
      default: {  // gelu_tanh
        const Bounded square = f.multiply(v, v);
        const Bounded z = f.rounded(f.multiply(
            f.exact(0.7978845608028654), f.add(v, f.rounded(f.multiply(f.exact(0.044715), f.multiply(square, v))))));
        const Bounded inner = f.rounded(
            f.multiply(f.exact(0.7978845608028654), f.add(one, f.rounded(f.multiply(f.exact(0.134145), square)))));
        const double level = 1 / (1 + std::exp(-2 * z.value)),
                     by_tanh = 0.5 * f.function_error * detail::absolute(2 * level - 1),
                     by_sigmoid = level * f.function_error * (2 - level);
        if (!is_finite(z.error)) return nothing_known();
        const double argument =
            level < 1 && level > 0 ? level * (1 - level) * 2 * (z.error + 2 * f.unit * detail::absolute(z.value)) : 0;
        const Bounded s{level, (by_tanh > by_sigmoid ? by_tanh : by_sigmoid) + argument +
                                   2 * f.unit * level};  // (1 + tanh z)/2, whose 1 − tanh²z is 4·s·(1 − s)
        slope = f.add(s, f.multiply(f.scale(f.multiply(v, f.multiply(s, f.subtract(one, s))), 2), inner));
        break;
      }
    }
    Bounded product = f.multiply(slope, f.exact(dy));
    product.error += lost;
    if (!is_finite(slope.value)) return nothing_known();
    if (!is_finite(dy))
      return detail::absolute(slope.value) > slope.error ? ExpectedElement{product.value, 0} : nothing_known();
    return product.expected();
  }
  [[nodiscard]] ASSAY_FUNCTION Bounded logistic_value(double x) const {
    const double power = std::exp(-x), s = logistic(x, power);
    const ExpectedElement element = logistic(x, s, power, s, 1);
    return {element.value, element.error};
  }
};

}  // namespace assay::inline v0
