#pragma once

#include <cstdint>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

// Layouts are copied before their members are called: device code has no address of a static member.

/// Classification by bits, never by comparison: it survives whatever the compiler believes about NaN.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_nan(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return layout.is_nan(FormatTraits<T>::to_bits(value));
}
/// Whether the value is an infinity, by its bits; false in formats that have none.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_infinite(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return layout.is_infinite(FormatTraits<T>::to_bits(value));
}
/// Whether the value is neither NaN nor an infinity, by its bits.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_finite(T value) {
  return !is_nan(value) && !is_infinite(value);
}
/// Whether the sign bit is set: true of negative zero and of NaNs with a sign.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_negative(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return (FormatTraits<T>::to_bits(value) & layout.sign_mask()) != 0;
}
/// Whether the value is a zero of either sign, by its bits.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_zero(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return layout.has_zero() && (FormatTraits<T>::to_bits(value) & layout.magnitude_mask()) == 0 && !is_nan(value);
}
/// Whether the value is a subnormal number, by its bits; zero is none.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_subnormal(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const auto magnitude = FormatTraits<T>::to_bits(value) & layout.magnitude_mask();
  return layout.has_zero() && magnitude != 0 && (magnitude >> layout.fraction_bits) == 0;
}

}  // namespace assay::inline v0
