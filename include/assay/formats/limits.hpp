#pragma once

#include <cstdint>

#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

/// 2^exponent, exact; 0 below and infinity above the range of double.
[[nodiscard]] ASSAY_FUNCTION constexpr double power_of_two(int exponent) {
  if (exponent > 1023) return detail::double_of(binary64_layout.infinity_bits());
  if (exponent < -1074) return 0.0;
  if (exponent < -1022) return detail::double_of(std::uint64_t{1} << (exponent + 1074));
  return detail::double_of(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

namespace detail {
/// |value|, without libm: callable on devices and in constant expressions.
[[nodiscard]] ASSAY_FUNCTION constexpr double absolute(double value) {
  return value < 0 ? -value : value;
}

/// a · b rounded, also where it is added to something: devices' compilers would fuse both.
[[nodiscard]] ASSAY_FUNCTION constexpr double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __dmul_rn(a, b);
#elif defined(__clang__)
#pragma clang fp contract(off)
#endif
  return a * b;
}
}  // namespace detail

/// floor(log2 |value|) of a finite, non-zero double.
[[nodiscard]] ASSAY_FUNCTION constexpr int exponent_of(double value) {
  const std::uint64_t magnitude = detail::bits_of(value) & binary64_layout.magnitude_mask();
  if (magnitude >> 52 != 0) return static_cast<int>(magnitude >> 52) - 1023;
  int exponent = -1023;
  for (std::uint64_t fraction = magnitude << 1; (fraction >> 52) == 0 && fraction != 0; fraction <<= 1) --exponent;
  return exponent;
}

/// Half the distance from 1 to the next larger number of T: the largest relative error of one rounding to nearest.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr double unit_roundoff() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return power_of_two(-layout.precision());
}
/// The largest finite value.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr double max_finite() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return decode(layout, layout.max_finite_bits());
}
/// The smallest positive value with a full fraction.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr double min_normal() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return power_of_two(layout.min_exponent());
}
/// The smallest number above 0: `min_normal` where there are no subnormal numbers.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr double min_subnormal() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return power_of_two(layout.min_exponent() - (layout.has_zero() ? layout.fraction_bits : 0));
}

/// The unit in the last place of T at a real number: the spacing of T's numbers in the binade of |value|, constant in
/// the subnormal range. For 0 the spacing there; for values that are not finite, NaN.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr double unit_in_last_place(double value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  if (!is_finite(value)) return detail::double_of(binary64_layout.nan_bits());
  if (is_zero(value)) return power_of_two(layout.min_exponent() - layout.fraction_bits);
  const int exponent = exponent_of(value);
  return power_of_two((exponent > layout.min_exponent() ? exponent : layout.min_exponent()) - layout.fraction_bits);
}

/// The same of formats without a layout, such as tables of values: the distance between the numbers of T about a real
/// number; from a number of T to the next larger one, from the largest one to the next smaller. For values that are not
/// finite, NaN.
template <Format T>
requires(!FloatFormat<T>) [[nodiscard]] ASSAY_FUNCTION constexpr double unit_in_last_place(double value) {
  if (!is_finite(value)) return detail::double_of(binary64_layout.nan_bits());
  const double low = decode(encode<T>(value, Rounding::toward_negative, Overflow::saturate));
  const double high = decode(encode<T>(value, Rounding::toward_positive, Overflow::saturate));
  if (low < high) return high - low;
  const double step = detail::absolute(low) * power_of_two(-52) +
                      power_of_two(-1074);  // to another double, no farther than the next two
  const double above = decode(encode<T>(low + step, Rounding::toward_positive, Overflow::saturate));
  return above > low ? above - low : low - decode(encode<T>(low - step, Rounding::toward_negative, Overflow::saturate));
}

/// The next larger / smaller value of T; infinity (or the last value, without one) and NaN stay.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr T next_up(T value) {
  using Traits = FormatTraits<T>;
  using Bits = typename Traits::Bits;
  constexpr FloatLayout layout = Traits::layout;
  if (is_nan(value)) return value;
  const std::uint64_t code = Traits::to_bits(value);
  const std::uint64_t magnitude = code & layout.magnitude_mask();
  const std::uint64_t largest = layout.has_infinity() ? layout.infinity_bits() : layout.max_finite_bits();
  if (magnitude == 0) return Traits::from_bits(static_cast<Bits>(1));
  if ((code & layout.sign_mask()) != 0) {
    if (magnitude == 1 && layout.specials == SpecialValues::fnuz) return Traits::from_bits(static_cast<Bits>(0));
    return Traits::from_bits(static_cast<Bits>(layout.sign_mask() | (magnitude - 1)));
  }
  return Traits::from_bits(static_cast<Bits>(magnitude < largest ? magnitude + 1 : magnitude));
}
/// The next smaller value; −∞ or the lowest finite value and NaN stay what they are.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr T next_down(T value) {
  using Traits = FormatTraits<T>;
  using Bits = typename Traits::Bits;
  constexpr FloatLayout layout = Traits::layout;
  if (is_nan(value)) return value;
  if (!layout.has_sign()) {
    const std::uint64_t code = Traits::to_bits(value);
    return Traits::from_bits(static_cast<Bits>(code > 0 ? code - 1 : 0));
  }
  if (is_zero(value)) return Traits::from_bits(static_cast<Bits>(layout.sign_mask() | 1));
  const T up = next_up(Traits::from_bits(static_cast<Bits>(Traits::to_bits(value) ^ layout.sign_mask())));
  if (is_zero(up) && layout.specials == SpecialValues::fnuz) return up;
  return Traits::from_bits(static_cast<Bits>(Traits::to_bits(up) ^ layout.sign_mask()));
}

}  // namespace assay::inline v0
