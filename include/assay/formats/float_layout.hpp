#pragma once

#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/formats/rounding.hpp"

namespace assay {

/// Which bit patterns are no finite numbers.
enum class SpecialValues {
  ieee,        ///< the largest exponent field holds infinities and NaNs
  finite_nan,  ///< no infinities; all-ones magnitude is NaN ("fn")
  fnuz,        ///< no infinities, no negative zero; the pattern of negative zero is the NaN ("fnuz")
  none         ///< every pattern is a finite number
};

/// A binary floating-point format of at most 64 bits: sign, exponent field, fraction field, with subnormals.
struct FloatLayout {
  int exponent_bits = 0;
  int fraction_bits = 0;  ///< without the implicit bit
  int bias = 0;
  SpecialValues specials = SpecialValues::ieee;

  [[nodiscard]] ASSAY_FUNCTION constexpr int bits() const { return 1 + exponent_bits + fraction_bits; }
  /// Significand bits with the implicit one.
  [[nodiscard]] ASSAY_FUNCTION constexpr int precision() const { return fraction_bits + 1; }
  /// Exponent of the smallest normal number, 2^min_exponent.
  [[nodiscard]] ASSAY_FUNCTION constexpr int min_exponent() const { return 1 - bias; }
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t sign_mask() const { return std::uint64_t{1} << (bits() - 1); }
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t magnitude_mask() const { return sign_mask() - 1; }
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_infinity() const { return specials == SpecialValues::ieee; }
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_nan() const { return specials != SpecialValues::none; }
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t infinity_bits() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t nan_bits() const {
    if (specials == SpecialValues::ieee) return infinity_bits() | (std::uint64_t{1} << (fraction_bits - 1));
    return specials == SpecialValues::finite_nan ? magnitude_mask() : sign_mask();
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t max_finite_bits() const {
    if (specials == SpecialValues::ieee) return infinity_bits() - 1;
    return specials == SpecialValues::finite_nan ? magnitude_mask() - 1 : magnitude_mask();
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_nan(std::uint64_t code) const {
    const std::uint64_t magnitude = code & magnitude_mask();
    switch (specials) {
      case SpecialValues::ieee: return magnitude > infinity_bits();
      case SpecialValues::finite_nan: return magnitude == magnitude_mask();
      case SpecialValues::fnuz: return code == sign_mask();
      case SpecialValues::none: return false;
    }
    return false;
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_infinite(std::uint64_t code) const {
    return has_infinity() && (code & magnitude_mask()) == infinity_bits();
  }

  friend constexpr bool operator==(const FloatLayout&, const FloatLayout&) = default;
};

/// IEEE 754's binary64 as a layout: the format in which values travel between encode and decode.
inline constexpr FloatLayout binary64_layout{11, 52, 1023, SpecialValues::ieee};

namespace detail {

ASSAY_FUNCTION constexpr std::uint64_t bits_of(double value) { return __builtin_bit_cast(std::uint64_t, value); }
ASSAY_FUNCTION constexpr double double_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

ASSAY_FUNCTION constexpr std::uint64_t overflowed(FloatLayout layout, bool negative, Rounding rounding, Overflow overflow) {
  const std::uint64_t sign = negative ? layout.sign_mask() : 0;
  const bool stays_finite = rounding == Rounding::toward_zero || (rounding == Rounding::toward_positive && negative) ||
                            (rounding == Rounding::toward_negative && !negative);
  if (overflow == Overflow::saturate || stays_finite || !layout.has_nan()) return sign | layout.max_finite_bits();
  if (layout.has_infinity()) return sign | layout.infinity_bits();
  return layout.specials == SpecialValues::fnuz ? layout.nan_bits() : sign | layout.nan_bits();
}

}  // namespace detail

/// The code of `value` in a layout no wider than binary64, rounded once. NaN becomes the layout's quiet NaN (its largest
/// value if it has none); an infinity overflows. O(1), no floating-point operation: independent of the environment.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode(FloatLayout layout, double value, Rounding rounding = Rounding::nearest_even,
                                                           Overflow overflow = Overflow::ieee) {
  const std::uint64_t source = detail::bits_of(value);
  const bool negative = (source >> 63) != 0;
  const std::uint64_t magnitude = source & binary64_layout.magnitude_mask();
  const std::uint64_t sign = negative ? layout.sign_mask() : 0;
  if (magnitude > binary64_layout.infinity_bits()) return layout.has_nan() ? layout.nan_bits() : layout.max_finite_bits();
  if (magnitude == binary64_layout.infinity_bits()) {
    if (layout.has_infinity() && overflow == Overflow::ieee) return sign | layout.infinity_bits();
    return detail::overflowed(layout, negative, Rounding::nearest_even, overflow);
  }
  if (magnitude == 0) return layout.specials == SpecialValues::fnuz ? 0 : sign;

  // |value| = significand · 2^scale with 2^52 ≤ significand < 2^53
  std::uint64_t significand = magnitude & ((std::uint64_t{1} << 52) - 1);
  int scale = static_cast<int>(magnitude >> 52) - 1075;
  if (magnitude >> 52 == 0) {
    scale = -1074;
    while ((significand >> 52) == 0) {
      significand <<= 1;
      --scale;
    }
  } else {
    significand |= std::uint64_t{1} << 52;
  }
  const int exponent = scale + 52;
  const bool normal = exponent >= layout.min_exponent();
  const int quantum = (normal ? exponent : layout.min_exponent()) - layout.fraction_bits;
  const int dropped = quantum - scale;

  std::uint64_t kept = significand;
  if (dropped > 0) {
    const int shift = dropped > 62 ? 62 : dropped;  // beyond 54 bits nothing is left but the sticky remainder
    kept = significand >> shift;
    const std::uint64_t remainder = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    bool up = false;
    switch (rounding) {
      case Rounding::nearest_even: up = remainder > half || (remainder == half && (kept & 1) != 0); break;
      case Rounding::nearest_away: up = remainder >= half; break;
      case Rounding::toward_zero: break;
      case Rounding::toward_positive: up = !negative && remainder != 0; break;
      case Rounding::toward_negative: up = negative && remainder != 0; break;
    }
    kept += up ? 1 : 0;
  }
  const std::uint64_t offset = normal ? static_cast<std::uint64_t>(exponent - layout.min_exponent()) << layout.fraction_bits : 0;
  const std::uint64_t code = offset + kept;  // a carry out of the fraction moves to the next exponent by itself
  if (code > layout.max_finite_bits()) return detail::overflowed(layout, negative, rounding, overflow);
  if (code == 0 && layout.specials == SpecialValues::fnuz) return 0;
  return sign | code;
}

/// The value of a code: exact, since every layout of at most 64 bits with at most 11 exponent bits fits binary64.
[[nodiscard]] ASSAY_FUNCTION constexpr double decode(FloatLayout layout, std::uint64_t code) {
  const bool negative = (code & layout.sign_mask()) != 0;
  const std::uint64_t sign = negative ? binary64_layout.sign_mask() : 0;
  if (layout.is_nan(code)) return detail::double_of(sign | binary64_layout.nan_bits());
  if (layout.is_infinite(code)) return detail::double_of(sign | binary64_layout.infinity_bits());
  const std::uint64_t magnitude = code & layout.magnitude_mask();
  std::uint64_t fraction = magnitude & ((std::uint64_t{1} << layout.fraction_bits) - 1);
  int exponent = static_cast<int>(magnitude >> layout.fraction_bits) - layout.bias;
  if (exponent == -layout.bias) {
    if (fraction == 0) return detail::double_of(sign);
    exponent = layout.min_exponent();
    if (layout.min_exponent() == binary64_layout.min_exponent()) return detail::double_of(sign | fraction);
    while ((fraction >> layout.fraction_bits) == 0) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= (std::uint64_t{1} << layout.fraction_bits) - 1;
  }
  return detail::double_of(sign | (static_cast<std::uint64_t>(exponent + binary64_layout.bias) << 52) |
                           (fraction << (52 - layout.fraction_bits)));
}

}  // namespace assay
