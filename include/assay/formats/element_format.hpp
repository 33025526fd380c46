#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/formats/limits.hpp"

namespace assay::inline v0 {

/// What the codes of an `ElementFormat` are.
enum class ElementKind { floating_point, integer };

/// A number format of at most 64 bits that is chosen at run time, with one element in 1, 2, 4 or 8 bytes. Operations
/// whose formats are data are compiled once for all of them. Codes stand in the lowest bits of their integer.
struct ElementFormat {
  const char* name = "f32";  ///< of static storage; not read on devices
  ElementKind kind = ElementKind::floating_point;
  int bytes = 4;
  FloatLayout layout = FormatTraits<float32>::layout;  ///< floating_point
  IntegerLayout integers{};                            ///< integer
  bool wide_integer = false;                           ///< 64 bits, signed: exact for |value| ≤ 2^53 only

  /// Whether the elements are floating-point numbers.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_float() const { return kind == ElementKind::floating_point; }

  /// The value of a code: exact, but for 64-bit integers, which are rounded to double.
  [[nodiscard]] ASSAY_FUNCTION constexpr double decode(std::uint64_t code) const {
    if (is_float()) return assay::decode(layout, code);
    if (wide_integer) return static_cast<double>(static_cast<std::int64_t>(code));
    return static_cast<double>(assay::decode(integers, code));
  }
  /// `value` rounded once; beyond the range of integers their ends, whatever `overflow` says.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode(double value, Rounding rounding = Rounding::nearest_even,
                                                              Overflow overflow = Overflow::ieee) const {
    if (is_float()) return assay::encode(layout, value, rounding, overflow);
    if (!wide_integer) return assay::encode(integers, value, rounding, overflow);
    if (is_nan(value)) return 0;
    if (value >= 0x1p63) return ~std::uint64_t{0} >> 1;
    if (value < -0x1p63) return std::uint64_t{1} << 63;
    if (value == 0 || value >= 0x1p52 || value <= -0x1p52)
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    const bool negative = value < 0;
    const detail::Significand magnitude =
        detail::significand_of(detail::bits_of(value) & binary64_layout.magnitude_mask());
    const std::uint64_t units = detail::rounded_units(magnitude, 0, detail::AwayByMode{rounding, negative});
    return negative ? std::uint64_t{0} - units : units;
  }
  /// `value` rounded to this format, as a double.
  [[nodiscard]] ASSAY_FUNCTION constexpr double round(double value, Rounding rounding = Rounding::nearest_even,
                                                      Overflow overflow = Overflow::ieee) const {
    return decode(encode(value, rounding, overflow));
  }

  /// The element at `position` behind `data`, which lies on this processor or device.
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t load_code(const void* data, Index position) const {
    const char* place = static_cast<const char*>(data) + position * bytes;
    switch (bytes) {
      case 1: return *reinterpret_cast<const std::uint8_t*>(place);
      case 2: return read<std::uint16_t>(place);
      case 4: return read<std::uint32_t>(place);
      default: return read<std::uint64_t>(place);
    }
  }
  /// Writes the code of the element at `position`, counted in elements. Precondition: `data` holds it; it need not be
  /// aligned.
  ASSAY_FUNCTION void store_code(void* data, Index position, std::uint64_t code) const {
    char* place = static_cast<char*>(data) + position * bytes;
    switch (bytes) {
      case 1: return write(place, static_cast<std::uint8_t>(code));
      case 2: return write(place, static_cast<std::uint16_t>(code));
      case 4: return write(place, static_cast<std::uint32_t>(code));
      default: return write(place, code);
    }
  }
  /// The value of the element at `position`, counted in elements. Precondition: `data` holds it; it need not be
  /// aligned.
  [[nodiscard]] ASSAY_FUNCTION double load(const void* data, Index position) const {
    return decode(load_code(data, position));
  }
  /// Writes `value`, rounded as `encode` does by default, as the element at `position`.
  ASSAY_FUNCTION void store(void* data, Index position, double value) const {
    store_code(data, position, encode(value));
  }

  /// u, half the distance from 1 to the next number; 0 for integers.
  [[nodiscard]] ASSAY_FUNCTION constexpr double unit_roundoff() const {
    return is_float() ? power_of_two(-layout.precision()) : 0;
  }
  /// The largest finite value; 2^63 for 64-bit integers, as a double has no 2^63 − 1.
  [[nodiscard]] ASSAY_FUNCTION constexpr double max_finite() const {
    if (is_float()) return assay::decode(layout, layout.max_finite_bits());
    return wide_integer ? 0x1p63 : static_cast<double>(integers.highest());
  }
  /// Of floating-point formats the smallest number above 0, of integers 1.
  [[nodiscard]] ASSAY_FUNCTION constexpr double min_subnormal() const {
    return is_float() ? power_of_two(layout.min_exponent() - (layout.has_zero() ? layout.fraction_bits : 0)) : 1;
  }
  /// Spacing of the format's numbers at a finite value.
  [[nodiscard]] ASSAY_FUNCTION constexpr double unit_in_last_place(double value) const {
    if (!is_float()) return 1;
    const int exponent = is_zero(value) ? layout.min_exponent() : exponent_of(value);
    return power_of_two((exponent > layout.min_exponent() ? exponent : layout.min_exponent()) - layout.fraction_bits);
  }

  friend constexpr bool operator==(const ElementFormat& a, const ElementFormat& b) {
    return a.kind == b.kind && a.bytes == b.bytes && a.wide_integer == b.wide_integer &&
           (a.is_float() ? a.layout == b.layout : a.integers == b.integers);
  }

 private:
  template <class Word>
  ASSAY_FUNCTION static Word read(const char* place) {
    Word word;
    __builtin_memcpy(&word, place, sizeof word);
    return word;
  }
  template <class Word>
  ASSAY_FUNCTION static void write(char* place, Word word) {
    __builtin_memcpy(place, &word, sizeof word);
  }
};

/// The description of a format that is a type; of `std::int32_t` and `std::int64_t`, too, in which indices are kept.
template <class T>
[[nodiscard]] constexpr ElementFormat element_format() {
  ElementFormat format;
  format.bytes = static_cast<int>(sizeof(T));
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
    format.name = sizeof(T) == 4 ? "int32" : "int64";
    format.kind = ElementKind::integer;
    format.integers = {32, true};
    format.wide_integer = sizeof(T) == 8;
  } else if constexpr (FloatFormat<T>) {
    format.name = FormatTraits<T>::name();
    format.layout = FormatTraits<T>::layout;
  } else {
    static_assert(IntegerFormat<T>, "only floating-point formats and integers can be chosen at run time");
    format.name = FormatTraits<T>::name();
    format.kind = ElementKind::integer;
    format.integers = FormatTraits<T>::layout;
  }
  return format;
}

}  // namespace assay::inline v0
