#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "assay/formats/classify.hpp"

namespace assay::inline v0::detail {

/// 0.d₁d₂d₃… · 10^exponent with d₁ ≠ 0 and no zeros at the end; no digits are zero.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;

  /// Less than 0, 0 or more, as *this is less than, equal to or greater than `other`.
  [[nodiscard]] int compare(const Decimal& other) const {
    if (digits.empty() || other.digits.empty())
      return static_cast<int>(other.digits.empty()) - static_cast<int>(digits.empty());
    if (exponent != other.exponent) return exponent < other.exponent ? -1 : 1;
    return digits.compare(other.digits);
  }
};

/// An exponent with its sign, cut to ±10^9; false where it is none. Empty the text when it has been read.
bool read_exponent(std::string_view& text, std::int64_t& exponent);

/// Digits with at most one point, and an exponent behind e or E if any; false where the text is anything else.
bool read_decimal(std::string_view text, Decimal& decimal);

/// The exact decimal expansion of a finite double ≥ 0: at most 767 digits.
inline Decimal decimal_of(double value) {
  char text[800];
  const std::to_chars_result written =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 766);
  Decimal decimal;
  static_cast<void>(read_decimal({text, static_cast<std::size_t>(written.ptr - text)}, decimal));
  return decimal;
}

inline constexpr double beyond_all =
    0x1.FFFFFFFFFFFFFp1023;                     ///< with an odd last bit, for all that is larger than double
inline constexpr double below_all = 0x1p-1074;  ///< likewise for all that is smaller

/// A magnitude rounded to odd: to the double of smaller magnitude, whose last bit is then set unless it is exact.
/// Rounding that to a format with two bits less is rounding the magnitude itself, once. Source: Boldo, Melquiond,
/// "Emulation of a FMA and correctly rounded sums", IEEE Transactions on Computers 57, 2008.
inline double rounded_to_odd(std::string_view text, const Decimal& decimal) {
  double nearest = 0;
  if (decimal.digits.empty()) return nearest;
  const bool out_of_range =
      std::from_chars(text.data(), text.data() + text.size(), nearest).ec == std::errc::result_out_of_range;
  if (out_of_range || is_zero(nearest) || is_infinite(nearest)) nearest = decimal.exponent > 0 ? beyond_all : below_all;
  const int order = decimal.compare(decimal_of(nearest));
  return order == 0 ? nearest : double_of((bits_of(nearest) - (order < 0 ? 1 : 0)) | 1);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/formats/detail/decimal_text.ipp"
#endif
