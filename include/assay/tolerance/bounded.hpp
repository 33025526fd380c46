#pragma once

#include <cmath>

#include "assay/formats/limits.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// A real number and how far a correct kernel's intermediate result may lie from it.
struct Bounded {
  double value = 0;  ///< the exact result, in double
  /// largest distance of a correct result from `value`; ∞: unknown; of NaN and infinities 0 where they are certain
  double error = 0;

  /// What a comparison expects of an element with this value and error: nothing of a NaN or an infinity that some
  /// kernels may not have.
  [[nodiscard]] ASSAY_FUNCTION constexpr ExpectedElement expected() const {
    return {is_finite(value) || is_finite(error) ? value : 0, error};
  }
};

/// Running error analysis: every operation gives the exact result of its arguments' values (in double), and an error
/// that covers any kernel whose arguments lie within their errors and whose own rounding is as its arithmetic promises.
/// Write a formula once, and its reference and bound are had together.
///
/// An operation that rounds adds u·(|result| + propagated error), an elementary function its own relative error
/// instead, and η where results may underflow. Fused multiply-adds round less than what is allowed for. Where an
/// intermediate result may overflow, or a divisor may be zero, the error is infinite: nothing can be refuted. NaN and
/// infinities are certain where all numbers within the arguments' errors lead to them; those of a factor or divisor
/// that may or may not be 0, and finite arguments that overflow a double, are not. The reference's own errors, 2⁻⁵³
/// relative an operation, are allowed for in every step. Source: Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., section 3.3.
struct BoundedArithmetic {
  double unit = 0;            ///< u
  double function_error = 0;  ///< relative, of elementary functions and division
  double underflow = 0;       ///< η, absolute
  double largest = 0;         ///< finite number

  BoundedArithmetic() = default;
  /// Takes the units from the arithmetic, and adds the reference's own.
  explicit BoundedArithmetic(const Arithmetic& arithmetic)
      : unit(arithmetic.unit_roundoff() + own_unit),
        function_error(arithmetic.function_error() + 4 * own_unit),
        underflow(arithmetic.accumulation.min_subnormal),
        largest(arithmetic.accumulation.max_finite) {}

  /// A number without an error, such as an input as it is stored.
  [[nodiscard]] ASSAY_FUNCTION Bounded exact(double value) const { return {value, 0}; }
  /// What is stored, or rounded to the accumulator's format once more.
  [[nodiscard]] ASSAY_FUNCTION Bounded rounded(Bounded a) const { return settle(a.value, a.error, unit); }

  /// −a; rounds nothing.
  [[nodiscard]] ASSAY_FUNCTION Bounded negate(Bounded a) const { return {-a.value, a.error}; }
  /// A + b, rounded once.
  [[nodiscard]] ASSAY_FUNCTION Bounded add(Bounded a, Bounded b) const {
    const double sum = a.value + b.value;
    return is_finite(sum) ? settle(sum, a.error + b.error, unit) : special(sum, a, b, true);
  }
  /// A − b, rounded once.
  [[nodiscard]] ASSAY_FUNCTION Bounded subtract(Bounded a, Bounded b) const { return add(a, negate(b)); }
  /// A · b, rounded once.
  [[nodiscard]] ASSAY_FUNCTION Bounded multiply(Bounded a, Bounded b) const {
    const double product = a.value * b.value;
    if (!is_finite(product)) return special(product, a, b, has_sign(a) && has_sign(b));
    return settle(product, magnitude(a.value) * b.error + magnitude(b.value) * a.error + a.error * b.error + underflow,
                  unit);
  }
  /// By a power of two: exact but for underflow.
  [[nodiscard]] ASSAY_FUNCTION Bounded scale(Bounded a, double power) const {
    return settle(a.value * power, a.error * magnitude(power) + (magnitude(power) < 1 ? underflow : 0), 0);
  }
  /// A / b, rounded once; the error is infinite where b may be 0.
  [[nodiscard]] ASSAY_FUNCTION Bounded divide(Bounded a, Bounded b) const {
    const double quotient = a.value / b.value, least = magnitude(b.value) - b.error;
    if (!is_finite(quotient)) return special(quotient, a, b, has_sign(a) && has_sign(b));
    if (!(least > 0) && b.error > 0) return {quotient, infinity()};
    return settle(
        quotient,
        b.error == 0 && a.error == 0 ? underflow : (a.error + magnitude(quotient) * b.error) / least + underflow,
        function_error);
  }

  /// √a; what a may be below 0 is taken as 0.
  [[nodiscard]] ASSAY_FUNCTION Bounded sqrt(Bounded a) const {
    const double root = std::sqrt(a.value), least = a.value > a.error ? a.value - a.error : 0;
    const double sum = root + std::sqrt(least);
    if (a.value < 0 && a.value + a.error >= 0) return {root, infinity()};
    return settle(root, a.error == 0 ? 0 : sum > 0 ? (a.value - least) / sum : std::sqrt(a.error), function_error);
  }
  /// 1/√a; the error is infinite where a may be 0.
  [[nodiscard]] ASSAY_FUNCTION Bounded rsqrt(Bounded a) const {
    const double root = 1 / std::sqrt(a.value), least = a.value - a.error;
    if (!(least > 0) && a.error > 0) return {root, infinity()};
    return settle(root,
                  a.error == 0 ? 0 : a.error / (std::sqrt(least * a.value) * (std::sqrt(least) + std::sqrt(a.value))),
                  function_error);
  }
  /// Also by 2^(x·log2 e), whose argument and constant are rounded: 1.25u·|x| more.
  [[nodiscard]] ASSAY_FUNCTION Bounded exp(Bounded a) const {
    const double value = std::exp(a.value), argument = a.error + 1.25 * unit * (magnitude(a.value) + a.error);
    if (!is_finite(value)) return {value, is_finite(a.error) && !is_finite(a.value) ? 0 : infinity()};
    return settle(value, (value == 0 ? std::exp(a.value + a.error) : value * std::expm1(argument)) + underflow,
                  function_error);
  }
  /// The natural logarithm; the error is infinite where a may be 0 or less.
  [[nodiscard]] ASSAY_FUNCTION Bounded log(Bounded a) const {
    const double value = std::log(a.value);
    if (a.error > 0 && !(a.error < a.value)) return {value, infinity()};
    return settle(value, a.error == 0 ? 0 : -std::log1p(-a.error / a.value), function_error);
  }
  /// The hyperbolic tangent; its slope is at most 1, and its limits are exact.
  [[nodiscard]] ASSAY_FUNCTION Bounded tanh(Bounded a) const {
    if (is_infinite(a.value)) return {std::tanh(a.value), a.error};
    const double nearest = magnitude(a.value) > a.error ? magnitude(a.value) - a.error : 0,
                 secant = 1 / std::cosh(nearest);
    return settle(std::tanh(a.value), a.error * secant * secant, function_error);
  }
  /// The error function; its slope is at most 2/√π, and its limits are exact.
  [[nodiscard]] ASSAY_FUNCTION Bounded erf(Bounded a) const {
    if (is_infinite(a.value)) return {std::erf(a.value), a.error};
    const double nearest = magnitude(a.value) > a.error ? magnitude(a.value) - a.error : 0;
    return settle(std::erf(a.value), a.error * 1.1283791670955126 * std::exp(-nearest * nearest), function_error);
  }
  /// The sine of an angle in radians.
  [[nodiscard]] ASSAY_FUNCTION Bounded sin(Bounded a) const {
    return settle(std::sin(a.value), a.error, function_error);
  }
  /// The cosine of an angle in radians.
  [[nodiscard]] ASSAY_FUNCTION Bounded cos(Bounded a) const {
    return settle(std::cos(a.value), a.error, function_error);
  }
  /// 1/(1 + e^−x): ends of the interval of x, since it is monotonic, and the roundings of exponential (of its argument
  /// too), sum and quotient. A power that overflows makes 0 of less than 1/largest. Its limits are exact.
  [[nodiscard]] ASSAY_FUNCTION Bounded sigmoid(Bounded x) const {
    const double value = logistic(x.value), above = logistic(x.value + x.error) - value,
                 below = value - logistic(x.value - x.error);
    if (!is_finite(x.value)) return {value, is_finite(x.error) ? 0 : infinity()};
    const double size = magnitude(x.value) < 100 ? magnitude(x.value) : 100;
    return {value, (above > below ? above : below) * (1 + 4 * function_error) +
                       value * (2 * function_error + unit * (2 + size)) + 2 / largest};
  }
  /// The larger; which of the two is not known where they are near, nor need be.
  [[nodiscard]] ASSAY_FUNCTION Bounded maximum(Bounded a, Bounded b) const {
    const double error = a.error > b.error ? a.error : b.error,
                 value = is_nan(a.value) || a.value > b.value ? a.value : b.value;
    return is_finite(value) ? Bounded{value, error} : special(value, a, b, true);
  }
  /// Σ of `terms` numbers whose values sum to `sum`, whose magnitudes sum to `magnitudes` and whose errors sum to
  /// `errors`, in any order, by a growth factor g (`growth_factor`).
  [[nodiscard]] ASSAY_FUNCTION Bounded sum(double sum, double magnitudes, double errors, double growth,
                                           double terms) const {
    if (!is_finite(sum)) return settle(sum, errors, 0);
    return settle(sum, errors * (1 + growth) + (growth + terms * own_unit) * magnitudes, 0);
  }

  /// +∞ as a double, on devices and under fast-math, too.
  [[nodiscard]] ASSAY_FUNCTION static double infinity() { return detail::double_of(binary64_layout.infinity_bits()); }

 private:
  static constexpr double own_unit = 0x1p-53;

  [[nodiscard]] ASSAY_FUNCTION static double logistic(double x) { return 1 / (1 + std::exp(-x)); }
  [[nodiscard]] ASSAY_FUNCTION static double magnitude(double value) { return detail::absolute(value); }
  [[nodiscard]] ASSAY_FUNCTION static bool is_certainly_nan(Bounded a) { return is_nan(a.value) && is_finite(a.error); }
  /// Whether it is positive, negative or 0 within its error.
  [[nodiscard]] ASSAY_FUNCTION static bool has_sign(Bounded a) { return a.error == 0 || magnitude(a.value) > a.error; }
  /// NaN or an infinity made of `a` and `b`: certain if one of them is NaN, or if both are `determined` and it is no
  /// overflow.
  [[nodiscard]] ASSAY_FUNCTION static Bounded special(double value, Bounded a, Bounded b, bool determined) {
    const bool overflow = is_finite(a.value) && is_finite(b.value) && b.value != 0,  // else a divisor of 0
        certain = determined && is_finite(a.error) && is_finite(b.error) && !overflow;
    return {value, is_certainly_nan(a) || is_certainly_nan(b) || certain ? 0 : infinity()};
  }
  [[nodiscard]] ASSAY_FUNCTION Bounded settle(double value, double propagated, double relative) const {
    const double size = magnitude(value);
    const double error = propagated + relative * (size + propagated);
    if (!is_finite(value)) return {value, is_finite(propagated) ? 0 : infinity()};
    return {value, size + error <= largest ? error : infinity()};
  }
};

}  // namespace assay::inline v0
