#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/formats/layout_name.hpp"
#include "assay/formats/small_float.hpp"
#include "assay/formats/small_integer.hpp"

namespace assay::inline v0 {

/// Facts about a number format. A format is added by one specialization with the members that `Format` asks for:
/// `name`, `bits`, `Bits`, `decode`, `encode`, `to_bits`, `from_bits`, and `layout` for binary floating-point numbers
/// and integers.
template <class T>
struct FormatTraits;

/// A number format with stored values of type T: a name, its width in bits, exact decoding to double, and encoding from
/// double in one rounding. Integers and lookup tables are formats, too. Of `FormatTraits<T>`:
/// - `name()` is short, stable and fit for an id ([a-z0-9_]); `bits` is the width of a code.
/// - `Bits` is an unsigned integer that holds a code in its lowest bits; `to_bits(value)` and `from_bits(code)`
///   convert, and lose nothing.
/// - `decode(value)` is exact. `encode(real, rounding, overflow)` rounds once and never fails: what the format does not
///   have becomes NaN, infinity or the largest value, as `Overflow` tells.
template <class T>
concept Format = std::is_trivially_copyable_v<T> &&
    requires(T value, double real, typename FormatTraits<T>::Bits code) {
  requires FormatTraits<T>::bits >= 1;
  requires std::is_convertible_v<decltype(FormatTraits<T>::name()), const char*>;
  requires std::is_same_v<decltype(FormatTraits<T>::decode(value)), double>;
  requires std::is_same_v<decltype(FormatTraits<T>::encode(real, Rounding::nearest_even, Overflow::ieee)), T>;
  requires std::is_same_v<decltype(FormatTraits<T>::to_bits(value)), typename FormatTraits<T>::Bits>;
  requires std::is_same_v<decltype(FormatTraits<T>::from_bits(code)), T>;
};

/// A format of binary floating-point numbers, which says so by its `layout`: what has exponents, subnormals and units
/// in the last place.
template <class T>
concept FloatFormat = Format<T> && std::is_same_v<decltype(FormatTraits<T>::layout), const FloatLayout>;

/// A format of integers, which says so by its `layout`.
template <class T>
concept IntegerFormat = Format<T> && std::is_same_v<decltype(FormatTraits<T>::layout), const IntegerLayout>;

/// What every binary floating-point format has, from its layout.
template <class T, class BitsType, FloatLayout Layout>
struct FloatFormatTraits {
  using Bits = BitsType;
  static constexpr FloatLayout layout = Layout;
  static constexpr int bits = Layout.bits();

  ASSAY_FUNCTION static constexpr Bits to_bits(T value) { return __builtin_bit_cast(Bits, value); }
  ASSAY_FUNCTION static constexpr T from_bits(Bits bits) { return __builtin_bit_cast(T, bits); }
  [[gnu::always_inline]] ASSAY_FUNCTION static constexpr double decode(T value) {
    return assay::decode(Layout, to_bits(value));
  }
  ASSAY_FUNCTION static constexpr T encode(double value, Rounding rounding = Rounding::nearest_even,
                                           Overflow overflow = Overflow::ieee) {
    return from_bits(static_cast<Bits>(assay::encode(Layout, value, rounding, overflow)));
  }
};

/// Every layout is a format, by the name that follows from it.
template <FloatLayout Layout>
struct FormatTraits<SmallFloat<Layout>>
    : FloatFormatTraits<SmallFloat<Layout>, typename SmallFloat<Layout>::Bits, Layout> {
  static constexpr const char* name() { return generated_name.text; }

 private:
  static constexpr LayoutName generated_name{Layout};
};

template <>
struct FormatTraits<float16> : FloatFormatTraits<float16, std::uint16_t, FloatLayout{5, 10, 15, SpecialValues::ieee}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "f16"; }
};

template <>
struct FormatTraits<bfloat16>
    : FloatFormatTraits<bfloat16, std::uint16_t, FloatLayout{8, 7, 127, SpecialValues::ieee}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "bf16"; }
  ASSAY_FUNCTION static constexpr double decode(bfloat16 value) {
    return static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(value.bits) << 16));
  }
};

template <>
struct FormatTraits<float32> : FloatFormatTraits<float32, std::uint32_t, FloatLayout{8, 23, 127, SpecialValues::ieee}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "f32"; }
  ASSAY_FUNCTION static constexpr double decode(float32 value) { return static_cast<double>(value); }
};

template <>
struct FormatTraits<float64> : FloatFormatTraits<float64, std::uint64_t, binary64_layout> {
  ASSAY_FUNCTION static constexpr const char* name() { return "f64"; }
  ASSAY_FUNCTION static constexpr double decode(float64 value) { return value; }
  ASSAY_FUNCTION static constexpr float64 encode(double value, Rounding = Rounding::nearest_even,
                                                 Overflow overflow = Overflow::ieee) {
    return from_bits(assay::encode(layout, value, Rounding::nearest_even, overflow));
  }
};

/// What every format of integers of at most 8 bits has.
template <class T, IntegerLayout Layout>
struct IntegerFormatTraits {
  using Bits = std::uint8_t;
  static constexpr IntegerLayout layout = Layout;
  static constexpr int bits = Layout.bits;

  ASSAY_FUNCTION static constexpr Bits to_bits(T value) { return __builtin_bit_cast(Bits, value); }
  ASSAY_FUNCTION static constexpr T from_bits(Bits code) { return __builtin_bit_cast(T, code); }
  ASSAY_FUNCTION static constexpr double decode(T value) {
    return static_cast<double>(assay::decode(Layout, to_bits(value)));
  }
  ASSAY_FUNCTION static constexpr T encode(double value, Rounding rounding = Rounding::nearest_even,
                                           Overflow overflow = Overflow::ieee) {
    return from_bits(static_cast<Bits>(assay::encode(Layout, value, rounding, overflow)));
  }
};

template <>
struct FormatTraits<std::int8_t> : IntegerFormatTraits<std::int8_t, IntegerLayout{8, true}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "int8"; }
};

template <>
struct FormatTraits<std::uint8_t> : IntegerFormatTraits<std::uint8_t, IntegerLayout{8, false}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "uint8"; }
};

template <int BitCount, bool IsSigned>
struct FormatTraits<SmallInteger<BitCount, IsSigned>>
    : IntegerFormatTraits<SmallInteger<BitCount, IsSigned>, IntegerLayout{BitCount, IsSigned}> {
  ASSAY_FUNCTION static constexpr const char* name() {
    constexpr const char* names[] = {"uint1", "uint2", "uint3", "uint4", "uint5", "uint6", "uint7", "uint8"};
    return names[BitCount - 1] + (IsSigned ? 1 : 0);  // without the u
  }
};

/// The stored value as a double: exact.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr double decode(T value) {
  return FormatTraits<T>::decode(value);
}

/// `value` in format T, rounded once.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr T encode(double value, Rounding rounding = Rounding::nearest_even,
                                                Overflow overflow = Overflow::ieee) {
  return FormatTraits<T>::encode(value, rounding, overflow);
}

/// `value` rounded to format T, as a double: one operation of an arithmetic in T.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr double round_to(double value, Rounding rounding = Rounding::nearest_even) {
  return decode(encode<T>(value, rounding));
}

}  // namespace assay::inline v0
