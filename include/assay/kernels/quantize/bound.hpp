#pragma once

#include <string>
#include <vector>

#include "assay/formats/block_values.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// How many float32 operations a kernel makes before the last rounding of each result, at most: from them follows how
/// far from a tie a neighboring code is as right. Kernels multiply by a rounded reciprocal where the definition
/// divides. Operations on powers of two are exact, so that they count only where a factor is something else.
struct QuantizeArithmetic {
  int tensor_scale_roundings = 1;  ///< 1/(max·max), multiplied
  int scale_roundings = 1;         ///< 1/max, multiplied
  int element_roundings = 3;       ///< amax/max, which is stored, and max/amax, times the value; by 1/scale one less
  int value_roundings = 2;         ///< of dequantizing: code − zero point times scale
  double unit_roundoff = 0x1p-24;  ///< of the arithmetic before codes are rounded

  /// What usual kernels for a scheme need.
  [[nodiscard]] static constexpr QuantizeArithmetic usual(const BlockScaling& scheme) {
    QuantizeArithmetic arithmetic;
    if (scheme.rule == ScaleRule::range)
      arithmetic.scale_roundings = 2;  // largest − smallest, times 1/(highest − lowest)
    if (scheme.rule == ScaleRule::exponent_covering || scheme.admits(ScaleRule::exponent_covering))
      arithmetic.scale_roundings = 2;  // 1/max, times amax; then the exponent
    if (scheme.tensor_scale != TensorScale::none) {
      arithmetic.scale_roundings = 4;  // 1/max, times amax, 1/tensor scale, times that
      arithmetic.element_roundings =
          5;                           // 1/tensor scale, times scale (or the product of both), 1/that, times the value
      arithmetic.value_roundings = 3;  // scale times tensor scale, times code
    }
    if (scheme.element.kind == CodeKind::table)
      arithmetic.element_roundings += 1;  // the midpoints that values are compared with
    return arithmetic;
  }

  /// δ of n roundings.
  [[nodiscard]] double relative_error(int roundings) const { return gamma_bound(roundings, unit_roundoff); }
};

/// The same as relative errors, for devices.
struct QuantizeBound {
  double tensor_scale = 0;  ///< of the tensor scale, relative
  double scale = 0;         ///< of a block's scale, relative
  double element = 0;       ///< of an element before it is rounded to a code, relative
  double value = 0;         ///< of a decoded value, relative

  /// What that arithmetic allows.
  [[nodiscard]] static QuantizeBound of(const QuantizeArithmetic& arithmetic) {
    return {arithmetic.relative_error(arithmetic.tensor_scale_roundings),
            arithmetic.relative_error(arithmetic.scale_roundings),
            arithmetic.relative_error(arithmetic.element_roundings),
            arithmetic.relative_error(arithmetic.value_roundings)};
  }
};

/// Results between `lowest` and `highest`, as values of their format: one if the exact value is farther from a tie than
/// δ of itself, else the two beside the tie.
struct AdmittedValues {
  double lowest = 0;
  double highest = 0;
  /// Whether the interval has that value.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool admit(double value) const { return value >= lowest && value <= highest; }
};

namespace detail {
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_power_of_two_or_zero(double value) {
  return value == 0 || (is_finite(value) && power_of_two(exponent_of(value)) == absolute(value));
}
[[nodiscard]] ASSAY_FUNCTION constexpr AdmittedValues values_about(const CodeFormat& format, double value,
                                                                   double relative, int zero_point = 0) {
  const double reach = is_finite(value) ? absolute(value) * relative : 0;
  return {format.decode(format.encode(value - reach, zero_point), zero_point),
          format.decode(format.encode(value + reach, zero_point), zero_point)};
}
}  // namespace detail

/// The scales of the whole tensor that are right: RN32 of the ideal one ± δ.
[[nodiscard]] constexpr AdmittedValues admitted_tensor_scales(const BlockScaling& scheme, const QuantizeBound& bound,
                                                              double amax) {
  return detail::values_about(code_format<float32>(), ideal_tensor_scale(scheme, amax), bound.tensor_scale);
}

/// The scales of a block that are right by one rule, given the kernel's scale of the tensor. Rules that look at
/// exponents only are exact. Preconditions as of `ideal_scale`.
[[nodiscard]] ASSAY_FUNCTION constexpr AdmittedValues admitted_scales(const BlockScaling& scheme,
                                                                      const QuantizeBound& bound, ScaleRule rule,
                                                                      const BlockExtremes& extremes,
                                                                      double tensor_scale) {
  if (rule == ScaleRule::exponent_covering) {
    const auto about = [&](double factor) {
      BlockExtremes moved = extremes;
      moved.amax *= factor;
      return scheme.scale.decode(scheme.scale.encode(ideal_scale(scheme, rule, moved, tensor_scale)));
    };
    return {about(1 - bound.scale), about(1 + bound.scale)};
  }
  return detail::values_about(scheme.scale, ideal_scale(scheme, rule, extremes, tensor_scale),
                              is_exponent_rule(rule) ? 0 : bound.scale);
}

/// Whether a scale is right by the rule of the scheme or one that it also admits.
[[nodiscard]] ASSAY_FUNCTION constexpr bool scale_is_admitted(const BlockScaling& scheme, const QuantizeBound& bound,
                                                              const BlockExtremes& extremes, double tensor_scale,
                                                              double scale) {
  for (int number = 0; number < static_cast<int>(ScaleRule::given); ++number) {
    const ScaleRule rule = static_cast<ScaleRule>(number);
    if (scheme.admits(rule) && admitted_scales(scheme, bound, rule, extremes, tensor_scale).admit(scale)) return true;
  }
  return false;
}

/// The zero points that are right, given the kernel's own scale: off by δ of the quotient, unless the scale is a power
/// of two, and of the difference to the lowest code, unless that is 0.
[[nodiscard]] ASSAY_FUNCTION constexpr AdmittedValues admitted_zero_points(const BlockScaling& scheme,
                                                                           const QuantizeBound& bound, double smallest,
                                                                           double scale) {
  const double ideal = ideal_zero_point(scheme, smallest, scale);
  const double of_quotient =
                   detail::is_power_of_two_or_zero(scale) ? 0 : (ideal - scheme.element.lowest) * bound.element,
               of_difference = scheme.element.lowest == 0 ? 0 : detail::absolute(ideal) * bound.element,
               reach = is_finite(ideal) ? of_quotient + of_difference : 0;
  return {scheme.element.decode(scheme.element.encode(ideal - reach)),
          scheme.element.decode(scheme.element.encode(ideal + reach))};
}

/// The elements that are right, as multiples of the scale, given the kernel's own scale and zero point. Where the scale
/// is a power of two nothing but the exactly rounded code is.
[[nodiscard]] ASSAY_FUNCTION constexpr AdmittedValues admitted_elements(const BlockScaling& scheme,
                                                                        const QuantizeBound& bound, double value,
                                                                        double scale, int zero_point) {
  const bool exact = detail::is_power_of_two_or_zero(scale) && scheme.element.kind != CodeKind::table;
  AdmittedValues admitted =
      detail::values_about(scheme.element, scaled_value(value, scale), exact ? 0 : bound.element, zero_point);
  if (scheme.lowest_may_be_used) {
    CodeFormat whole = scheme.element;
    --whole.lowest;
    const double lower =
        detail::values_about(whole, scaled_value(value, scale), exact ? 0 : bound.element, zero_point).lowest;
    if (lower < admitted.lowest) admitted.lowest = lower;
  }
  return admitted;
}

/// How what is accepted of a dequantizer comes about, one step a line.
[[nodiscard]] std::vector<std::string> explain_dequantize_bound(const BlockScaling& scheme,
                                                                const QuantizeArithmetic& arithmetic);

/// How what is accepted of a quantizer comes about, one step a line.
[[nodiscard]] std::vector<std::string> explain_quantize_bound(const BlockScaling& scheme,
                                                              const QuantizeArithmetic& arithmetic);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/quantize/bound.ipp"
#endif
