#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/formats/format_description.hpp"
#include "assay/formats/parse.hpp"

namespace assay::inline v0 {

namespace detail {

/// digits · 10^exponent in the way people write it: positional from 10^−5 to 10^16, else with an exponent.
std::string written(std::uint64_t digits, int exponent);

/// The magnitude of a finite value of T that is not 0, in as few digits as read back as it; `largest` is the last
/// magnitude.
template <Format T>
[[nodiscard]] std::string shortest_decimal(double value, double largest) {
  const double magnitude = double_of(bits_of(value) & binary64_layout.magnitude_mask());
  const auto reads_back = [&](std::string text) {
    if (parse<double>(text).value() > largest) return false;
    if (is_negative(value)) text.insert(0, 1, '-');
    return FormatTraits<T>::decode(parse<T>(text).value()) == value;
  };
  const Decimal exact = decimal_of(magnitude);
  for (int count = 1; count <= 17; ++count) {
    char text[40];
    const std::to_chars_result end =
        std::to_chars(text, text + sizeof text, magnitude, std::chars_format::scientific, count - 1);
    Decimal nearest;
    static_cast<void>(read_decimal({text, static_cast<std::size_t>(end.ptr - text)}, nearest));
    std::uint64_t digits = 0;
    for (int i = 0; i < count; ++i)
      digits = digits * 10 + (static_cast<std::size_t>(i) < nearest.digits.size()
                                  ? static_cast<std::uint64_t>(nearest.digits[static_cast<std::size_t>(i)] - '0')
                                  : 0);
    const int exponent = static_cast<int>(nearest.exponent) - count;
    std::string shortest = written(digits, exponent);
    if (reads_back(shortest)) return shortest;
    // Below a power of two numbers are denser: the nearest decimal, if it lies there, may read as another number where
    // the next one above does not.
    shortest = written(digits + 1, exponent);
    if (nearest.compare(exact) < 0 && reads_back(shortest)) return shortest;
  }
  return {};  // not reached: 17 digits tell all doubles apart
}

}  // namespace detail

/// The decimal with the fewest digits that `parse<T>` reads as `value` again: the nearest one with that many. The last
/// value before an overflow is not rounded up, so that it does not look like one. "inf", "-inf" and "nan". Few bits
/// need few digits: float16's 65504 is "65500", e8m0fnu's 2^10 is "1000"; `decode` gives the exact value.
template <Format T>
[[nodiscard]] std::string to_text(T value) {
  const double decoded = FormatTraits<T>::decode(value);
  if (is_nan(decoded)) return "nan";
  const std::string sign = is_negative(decoded) ? "-" : "";
  if (is_infinite(decoded)) return std::string(sign).append("inf");
  if (is_zero(decoded)) return std::string(sign).append("0");
  if constexpr (IntegerFormat<T>) {
    return std::to_string(static_cast<std::int64_t>(decoded));
  } else {
    constexpr FormatDescription description = format_description<T>();
    return std::string(sign).append(
        detail::shortest_decimal<T>(decoded, is_negative(decoded) ? -description.lowest : description.largest));
  }
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/formats/to_text.ipp"
#endif
