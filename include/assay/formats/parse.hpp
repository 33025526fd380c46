#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "assay/core/result.hpp"
#include "assay/formats/detail/decimal_text.hpp"
#include "assay/formats/limits.hpp"

namespace assay::inline v0 {

namespace detail {

inline bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i]) != lower[i]) return false;
  return true;
}

/// The magnitude of hexadecimal digits, behind 0x, rounded to odd as in `rounded_to_odd`; false where the text is none.
bool read_hexadecimal(std::string_view text, double& magnitude);

}  // namespace detail

/// The value of T that a text names: a decimal or hexadecimal floating-point number ("0.1", "-3e-5", "0x1.8p3"), "inf",
/// "infinity" or "nan", in any case and with a sign if any. The number is rounded to nearest, ties to even, once, from
/// the digits themselves: never by way of a double that was rounded already. What is out of range, "inf" included, is
/// encoded as `overflow` says. Middles of neighboring values of a lookup table are exact only where they fit 52 bits.
/// Errors: `malformed` if the text is anything else, or has something behind the number, spaces included; `invalid` for
/// "nan" where T has none. O(length).
template <Format T>
[[nodiscard]] Result<T> parse(std::string_view text, Overflow overflow = Overflow::ieee) {
  const auto quoted = [&] { return std::string("'").append(text).append("'"); };
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (detail::equals_ignoring_case(rest, "nan")) {
    const T value = FormatTraits<T>::encode(detail::double_of(binary64_layout.nan_bits()));
    const double decoded = FormatTraits<T>::decode(value);
    if (!is_nan(decoded))
      return failure(ErrorKind::invalid, quoted() + " was given, but " + FormatTraits<T>::name() + " has no NaN");
    return value;
  }
  double magnitude = 0;
  detail::Decimal decimal;
  if (detail::equals_ignoring_case(rest, "inf") || detail::equals_ignoring_case(rest, "infinity")) {
    magnitude = detail::double_of(binary64_layout.infinity_bits());
  } else if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X')) {
    if (!detail::read_hexadecimal(rest.substr(2), magnitude))
      return failure(ErrorKind::malformed, quoted() + " is no hexadecimal number; write for instance 0x1.8p3");
  } else if (detail::read_decimal(rest, decimal)) {
    magnitude = detail::rounded_to_odd(rest, decimal);
  } else {
    return failure(ErrorKind::malformed,
                   quoted() + " is no number; write for instance 0.1, -3e-5, 0x1.8p3, inf or nan");
  }
  return FormatTraits<T>::encode(sign * magnitude, Rounding::nearest_even, overflow);
}

/// The same for double, to which a double that was rounded to odd could not be rounded.
template <>
[[nodiscard]] inline Result<double> parse<double>(std::string_view text, Overflow overflow) {
  // to see whether the text is a number at all, and for what is no finite decimal or hexadecimal one
  const Result<float> narrow = parse<float>(text);
  if (!narrow) return narrow.propagate();
  std::string_view rest = text;
  const bool negative = rest.front() == '-';
  if (rest.front() == '-' || rest.front() == '+') rest.remove_prefix(1);
  const bool hexadecimal = rest.size() > 2 && (rest[1] == 'x' || rest[1] == 'X');
  if (hexadecimal) rest.remove_prefix(2);
  double magnitude = 0;
  const std::from_chars_result read =
      std::from_chars(rest.data(), rest.data() + rest.size(), magnitude,
                      hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (read.ec == std::errc::result_out_of_range)
    magnitude = is_zero(narrow.value()) ? 0.0 : detail::double_of(binary64_layout.infinity_bits());
  return FormatTraits<double>::encode(negative ? -magnitude : magnitude, Rounding::nearest_even, overflow);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/formats/parse.ipp"
#endif
