#pragma once

#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/formats/rounding.hpp"

namespace assay::inline v0 {

/// Which bit patterns are no finite numbers.
enum class SpecialValues {
  ieee,        ///< the largest exponent field holds infinities and NaNs
  finite_nan,  ///< no infinities; all-ones magnitude is NaN ("fn")
  fnuz,        ///< no infinities, no negative zero; the pattern of negative zero is the NaN ("fnuz")
  none         ///< every pattern is a finite number
};

/// Which numbers a format holds.
enum class Domain {
  real,          ///< a sign bit, zero and subnormal numbers
  non_negative,  ///< no sign bit; zero and subnormal numbers, as in the unsigned scales of block formats
  positive       ///< no sign bit, no zero: the exponent field 0 is a binade like the others, as in e8m0fnu
};

/// A binary floating-point format of at most 64 bits: sign if any, exponent field, fraction field.
struct FloatLayout {
  int exponent_bits = 0;  ///< width of the exponent field
  int fraction_bits = 0;  ///< without the implicit bit
  int bias = 0;           ///< what is subtracted from the exponent field
  SpecialValues specials = SpecialValues::ieee;
  Domain domain = Domain::real;

  /// Whether codes have a sign bit.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_sign() const { return domain == Domain::real; }
  /// Whether there is a zero; formats of powers of two have none.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_zero() const { return domain != Domain::positive; }
  /// Width of a code.
  [[nodiscard]] ASSAY_FUNCTION constexpr int bits() const {
    return (has_sign() ? 1 : 0) + exponent_bits + fraction_bits;
  }
  /// Significand bits with the implicit one.
  [[nodiscard]] ASSAY_FUNCTION constexpr int precision() const { return fraction_bits + 1; }
  /// Exponent of the smallest normal number, 2^min_exponent.
  [[nodiscard]] ASSAY_FUNCTION constexpr int min_exponent() const { return (has_zero() ? 1 : 0) - bias; }
  /// The bits of a code below its sign.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t magnitude_mask() const {
    return (std::uint64_t{1} << (exponent_bits + fraction_bits)) - 1;
  }
  /// 0 without a sign.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t sign_mask() const {
    return has_sign() ? magnitude_mask() + 1 : 0;
  }
  /// Whether codes stand for infinities.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_infinity() const { return specials == SpecialValues::ieee; }
  /// Whether codes stand for NaN.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_nan() const { return specials != SpecialValues::none; }
  /// The code of +∞. Precondition: `has_infinity()`.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t infinity_bits() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
  /// A quiet NaN. Precondition: `has_nan()`.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t nan_bits() const {
    if (specials == SpecialValues::ieee) return infinity_bits() | (std::uint64_t{1} << (fraction_bits - 1));
    return specials == SpecialValues::finite_nan ? magnitude_mask() : sign_mask();
  }
  /// The code of the largest finite value.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t max_finite_bits() const {
    if (specials == SpecialValues::ieee) return infinity_bits() - 1;
    return specials == SpecialValues::finite_nan ? magnitude_mask() - 1 : magnitude_mask();
  }

  /// Whether the code stands for NaN, with either sign and any payload.
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
  /// Whether the code stands for an infinity of either sign.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_infinite(std::uint64_t code) const {
    return has_infinity() && (code & magnitude_mask()) == infinity_bits();
  }

  friend constexpr bool operator==(const FloatLayout&, const FloatLayout&) = default;
};

/// IEEE 754's binary64 as a layout: the format in which values travel between encode and decode.
inline constexpr FloatLayout binary64_layout{11, 52, 1023, SpecialValues::ieee};

namespace detail {

ASSAY_FUNCTION constexpr std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}
ASSAY_FUNCTION constexpr double double_of(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

ASSAY_FUNCTION constexpr std::uint64_t overflowed(FloatLayout layout, bool negative, Rounding rounding,
                                                  Overflow overflow) {
  const std::uint64_t sign = negative ? layout.sign_mask() : 0;
  const bool below = negative && !layout.has_sign();
  const bool stays_finite = rounding == Rounding::toward_zero || (rounding == Rounding::toward_positive && negative) ||
                            (rounding == Rounding::toward_negative && !negative);
  if (overflow == Overflow::saturate || stays_finite || !layout.has_nan())
    return below ? 0 : sign | layout.max_finite_bits();
  if (layout.has_infinity() && !below) return sign | layout.infinity_bits();
  return layout.specials == SpecialValues::finite_nan ? sign | layout.nan_bits() : layout.nan_bits();
}

/// |value| = bits · 2^scale with 2^52 ≤ bits < 2^53.
struct Significand {
  std::uint64_t bits;
  int scale;
};

/// Precondition: the magnitude of a double that is finite and not 0.
ASSAY_FUNCTION constexpr Significand significand_of(std::uint64_t magnitude) {
  constexpr std::uint64_t implicit = std::uint64_t{1} << 52;
  const int field = static_cast<int>(magnitude >> 52);
  if (field != 0) return {(magnitude & (implicit - 1)) | implicit, field - 1075};
  Significand subnormal{magnitude, -1074};
  while (subnormal.bits < implicit) {
    subnormal.bits <<= 1;
    --subnormal.scale;
  }
  return subnormal;
}

/// Whether a magnitude rounds away from zero, of which `kept` units are kept and `discarded` · 2^−64 units are not, the
/// lowest bit sticky.
ASSAY_FUNCTION constexpr bool rounds_away(Rounding rounding, bool negative, std::uint64_t kept,
                                          std::uint64_t discarded) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  switch (rounding) {
    case Rounding::nearest_even: return discarded > half || (discarded == half && (kept & 1) != 0);
    case Rounding::nearest_away: return discarded >= half;
    case Rounding::toward_zero: return false;
    case Rounding::toward_positive: return !negative && discarded != 0;
    case Rounding::toward_negative: return negative && discarded != 0;
  }
  return false;
}

/// A magnitude in units of 2^quantum, rounded as `away(kept, discarded)` says (see `rounds_away`). Precondition:
/// quantum ≥ scale.
template <class Away>
ASSAY_FUNCTION constexpr std::uint64_t rounded_units(Significand value, int quantum, Away away) {
  const int dropped = quantum - value.scale;
  if (dropped == 0) return value.bits;
  const std::uint64_t kept = dropped < 64 ? value.bits >> dropped : 0;
  const std::uint64_t discarded =
      dropped <= 64 ? value.bits << (64 - dropped) : (dropped < 128 ? value.bits >> (dropped - 64) : 0) | 1;
  return kept + (away(kept, discarded) ? 1 : 0);
}

/// One of the rounding modes as what `rounded_units` asks.
struct AwayByMode {
  Rounding rounding;
  bool negative;
  ASSAY_FUNCTION constexpr bool operator()(std::uint64_t kept, std::uint64_t discarded) const {
    return rounds_away(rounding, negative, kept, discarded);
  }
};

/// The code of `value`, where `away(kept, discarded)` decides what becomes of the discarded part, as for `rounds_away`,
/// and `direction` what becomes of an overflow.
template <class Away>
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode_by(FloatLayout layout, double value, Rounding direction,
                                                               Overflow overflow, Away away) {
  const std::uint64_t source = bits_of(value);
  const bool negative = (source >> 63) != 0;
  const std::uint64_t magnitude = source & binary64_layout.magnitude_mask();
  const std::uint64_t sign = negative ? layout.sign_mask() : 0;
  if (magnitude > binary64_layout.infinity_bits())
    return layout.has_nan() ? layout.nan_bits() : layout.max_finite_bits();
  if (!layout.has_zero() && (negative || magnitude == 0))
    return overflow == Overflow::ieee && layout.has_nan() ? layout.nan_bits() : 0;
  if (magnitude == binary64_layout.infinity_bits())
    return overflowed(layout, negative, Rounding::nearest_even, overflow);
  if (magnitude == 0) return layout.specials == SpecialValues::fnuz ? 0 : sign;

  const Significand significand = significand_of(magnitude);
  const int exponent = significand.scale + 52;
  const bool normal = exponent >= layout.min_exponent();
  if (!normal && !layout.has_zero()) return 0;
  const std::uint64_t kept =
      rounded_units(significand, (normal ? exponent : layout.min_exponent()) - layout.fraction_bits, away);
  // a significand's implicit bit adds 1 to the exponent field, and a carry out of its fraction another 1
  const std::uint64_t offset =
      normal ? static_cast<std::uint64_t>(exponent + layout.bias - 1) << layout.fraction_bits : 0;
  const std::uint64_t code = offset + kept;
  if (code > layout.max_finite_bits() || (code != 0 && negative && !layout.has_sign()))
    return overflowed(layout, negative, direction, overflow);
  if (code == 0 && layout.specials == SpecialValues::fnuz) return 0;
  return sign | code;
}

}  // namespace detail

/// The code of `value` in a layout no wider than binary64, rounded once. NaN becomes the layout's quiet NaN (its
/// largest value if it has none); an infinity overflows, and so does a value that rounds to less than 0 where there is
/// no sign: to NaN, or to 0 where `overflow` or the rounding direction says so. In a layout of positive numbers zero
/// and negative values have no code at all: `Overflow::ieee` gives NaN, `saturate` the smallest number, whatever the
/// rounding; positive values below the smallest number become it. O(1), no floating-point operation: independent of the
/// environment.
[[nodiscard, gnu::always_inline]] ASSAY_FUNCTION constexpr std::uint64_t encode(
    FloatLayout layout, double value, Rounding rounding = Rounding::nearest_even, Overflow overflow = Overflow::ieee) {
  const std::uint64_t source = detail::bits_of(value), magnitude = source & binary64_layout.magnitude_mask();
  const bool negative = (source >> 63) != 0;
  const std::uint64_t smallest_normal = static_cast<std::uint64_t>(layout.min_exponent() + binary64_layout.bias) << 52;
  // the short way, always inlined, as in decode: what becomes a normal number by the rounding that nearly everybody
  // asks for
  if (rounding == Rounding::nearest_even && layout.fraction_bits > 0 && magnitude >= smallest_normal &&
      magnitude < binary64_layout.infinity_bits() && (layout.has_sign() || !negative)) {
    const int dropped = 52 - layout.fraction_bits;
    const std::uint64_t rebiased = magnitude - (static_cast<std::uint64_t>(binary64_layout.bias - layout.bias) << 52);
    const std::uint64_t below_half = ((std::uint64_t{1} << dropped) - 1) >> 1,
                        odd = dropped > 0 ? rebiased >> dropped & 1 : 0;
    const std::uint64_t code = (rebiased + below_half + odd) >> dropped;
    if (code <= layout.max_finite_bits()) return negative ? layout.sign_mask() | code : code;
  }
  return detail::encode_by(layout, value, rounding, overflow, detail::AwayByMode{rounding, negative});
}

namespace detail {

/// The value of a code whose exponent field is the lowest or the highest.
[[nodiscard]] ASSAY_FUNCTION constexpr double decode_at_the_ends(FloatLayout layout, std::uint64_t code,
                                                                 std::uint64_t sign, std::uint64_t as_if_normal) {
  if (layout.is_nan(code)) return double_of(sign | binary64_layout.nan_bits());
  if (layout.is_infinite(code)) return double_of(sign | binary64_layout.infinity_bits());
  if (!layout.has_zero() || (code & layout.magnitude_mask()) >> layout.fraction_bits != 0)
    return double_of(as_if_normal);
  const std::uint64_t fraction = code & layout.magnitude_mask();
  if (layout.min_exponent() == binary64_layout.min_exponent()) return double_of(sign | fraction);
  const double unit =
      double_of(static_cast<std::uint64_t>(layout.min_exponent() - layout.fraction_bits + binary64_layout.bias) << 52);
  return double_of(sign | bits_of(static_cast<double>(fraction) * unit));
}

}  // namespace detail

/// The value of a code: exact, since every layout of at most 64 bits with at most 11 exponent bits fits binary64.
[[nodiscard, gnu::always_inline]] ASSAY_FUNCTION constexpr double decode(FloatLayout layout, std::uint64_t code) {
  const std::uint64_t sign = (code & layout.sign_mask()) != 0 ? binary64_layout.sign_mask() : 0;
  const std::uint64_t magnitude = code & layout.magnitude_mask(), field = magnitude >> layout.fraction_bits;
  const std::uint64_t rebias = static_cast<std::uint64_t>(binary64_layout.bias - layout.bias) << 52;
  const std::uint64_t normal = sign | ((magnitude << (52 - layout.fraction_bits)) + rebias);
  // the short way, always inlined: it is a few instructions where the layout is a constant, and then kernels can be
  // made of it
  if (field != 0 && field != layout.magnitude_mask() >> layout.fraction_bits) return detail::double_of(normal);
  return detail::decode_at_the_ends(layout, code, sign, normal);
}

}  // namespace assay::inline v0
