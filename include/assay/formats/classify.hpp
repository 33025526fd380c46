#pragma once

#include <cstdint>
#include <type_traits>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

// Layouts are copied before their members are called: device code has no address of a static member.

namespace detail {
/// The bits without the sign. clang makes a comparison of numbers of `bits & mask == 0`, which is another question
/// where subnormals are taken for zero: what it cannot look through it leaves alone.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr auto magnitude_bits(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  auto bits = FormatTraits<T>::to_bits(value);
#if defined(__clang__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  if constexpr (std::is_floating_point_v<T>)
    if (!std::is_constant_evaluated()) asm("" : "+r"(bits));
#endif
  return static_cast<decltype(bits)>(bits & layout.magnitude_mask());
}
}  // namespace detail

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
  return layout.has_zero() && detail::magnitude_bits(value) == 0 && !is_nan(value);
}
/// Whether the value is a subnormal number, by its bits; zero is none.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_subnormal(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const auto magnitude = detail::magnitude_bits(value);
  return layout.has_zero() && magnitude != 0 && (magnitude >> layout.fraction_bits) == 0;
}

}  // namespace assay::inline v0
