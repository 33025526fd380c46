#pragma once

#include "assay/formats/block_scaling.hpp"

namespace assay::inline v0 {

/// What the scale of a block is made from.
struct BlockExtremes {
  double amax = 0;       ///< largest magnitude of the finite values
  double smallest = 0;   ///< smallest of the finite values and 0
  double largest = 0;    ///< largest of the finite values and 0
  bool special = false;  ///< NaN or an infinity is among the values

  /// Takes one more element; an infinity or NaN is only noted in `special`.
  ASSAY_FUNCTION constexpr void add(double value) {
    if (!is_finite(value)) {
      special = true;
      return;
    }
    const double magnitude = detail::absolute(value);
    if (magnitude > amax) amax = magnitude;
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  /// Takes what another part of the block saw, in any order.
  ASSAY_FUNCTION constexpr void join(const BlockExtremes& other) {
    if (other.amax > amax) amax = other.amax;
    if (other.smallest < smallest) smallest = other.smallest;
    if (other.largest > largest) largest = other.largest;
    special = special || other.special;
  }
};

/// The scale of the whole tensor, before it is rounded to float32: amax / (max of the scales · max of the elements),
/// and 1 where all values are zero.
[[nodiscard]] ASSAY_FUNCTION constexpr double ideal_tensor_scale(const BlockScaling& scheme, double amax) {
  return amax == 0 ? 1 : amax / (scheme.scale.max_value() * scheme.element.max_value());
}

/// Whether a block counts as one of zeros: its scale does not follow from its values.
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_zero_block(const BlockScaling& scheme, const BlockExtremes& extremes) {
  return extremes.amax == 0 && scheme.least_amax == 0 && scheme.least_scale == 0;
}

/// The scale of a block by a rule, before it is rounded to the scale format. `tensor_scale` is 1 where there is none.
/// Precondition: the block is not one of zeros, and the rule is not `given`.
[[nodiscard]] ASSAY_FUNCTION constexpr double ideal_scale(const BlockScaling& scheme, ScaleRule rule,
                                                          const BlockExtremes& extremes, double tensor_scale = 1) {
  const double amax = extremes.amax > scheme.least_amax ? extremes.amax : scheme.least_amax;
  double scale = 0;
  if (rule == ScaleRule::range) {
    const double range = extremes.largest - extremes.smallest;
    scale = (range > scheme.least_amax ? range : scheme.least_amax) /
            static_cast<double>(scheme.element.highest - scheme.element.lowest);
  } else if (amax > 0) {
    scale = is_exponent_rule(rule) ? power_of_two(scale_exponent(rule, scheme.element, amax))
                                   : amax / (scheme.element.max_value() * tensor_scale);
  }
  return scale > scheme.least_scale ? scale : scheme.least_scale;
}

/// The code of a block's scale by the rule of the scheme, as the reference has it.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t scale_code(const BlockScaling& scheme,
                                                                const BlockExtremes& extremes,
                                                                double tensor_scale = 1) {
  const CodeFormat& format = scheme.scale;
  if (extremes.special && scheme.specials == SpecialValueRule::poison_block) return format.nan_code();
  if (!is_zero_block(scheme, extremes)) return format.encode(ideal_scale(scheme, scheme.rule, extremes, tensor_scale));
  const bool smallest = scheme.zero_block == ZeroBlockScale::smallest ||
                        (scheme.zero_block == ZeroBlockScale::any && format.holds_only_powers_of_two());
  return !smallest ? format.encode(1) : format.layout.has_zero() ? 1 : 0;
}

/// The zero point of a block with the smallest value `smallest` ≤ 0, before it is rounded: the position of 0 in the
/// range.
[[nodiscard]] ASSAY_FUNCTION constexpr double ideal_zero_point(const BlockScaling& scheme, double smallest,
                                                               double scale) {
  return static_cast<double>(scheme.element.lowest) - (scale == 0 ? 0 : smallest / scale);
}

/// The zero point as the reference has it: rounded to nearest, ties to even, within the range of the codes.
[[nodiscard]] ASSAY_FUNCTION constexpr int zero_point(const BlockScaling& scheme, double smallest, double scale) {
  return scheme.zero_points
             ? scheme.element.integer_of(scheme.element.encode(ideal_zero_point(scheme, smallest, scale)))
             : 0;
}

/// value / scale; a signed zero where the scale is zero. `scale` is that of the block times that of the tensor.
[[nodiscard]] ASSAY_FUNCTION constexpr double scaled_value(double value, double scale) {
  if (scale == 0) return is_negative(value) ? -0.0 : 0.0;
  return value / scale;
}

/// The code of an element as the reference has it, rounded once from the exact quotient: value and scale have at most
/// 32 bits, so that a quotient rounded to double lies on the same side of every tie.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t element_code(const BlockScaling& scheme, double value,
                                                                  double scale, int zero_point = 0) {
  const std::uint32_t code = scheme.element.encode(scaled_value(value, scale), zero_point);
  const bool drop_sign =
      !scheme.keeps_negative_zero && scheme.element.has_negative_zero() && code == scheme.element.layout.sign_mask();
  return drop_sign ? 0 : code;
}

/// The value of an element: exact, but for a product beyond the range of double.
[[nodiscard]] ASSAY_FUNCTION constexpr double element_value(const BlockScaling& scheme, std::uint32_t code,
                                                            double scale, int zero_point = 0) {
  return scheme.element.decode(code, zero_point) * scale;
}

}  // namespace assay::inline v0
