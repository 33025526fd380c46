#pragma once

#include "assay/formats/detail/decimal_text.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool read_exponent(std::string_view& text, std::int64_t& exponent) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.front() < '0' || text.front() > '9') return false;
    if (exponent < 1000000000) exponent = exponent * 10 + (text.front() - '0');
  }
  exponent = negative ? -exponent : exponent;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool read_decimal(std::string_view text, Decimal& decimal) {
  std::int64_t point = 0;  // digits ahead of the point
  bool any = false, fraction = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char letter = text.front();
    if (letter == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (letter < '0' || letter > '9') break;
    any = true;
    if (!decimal.digits.empty() || letter != '0') {
      decimal.digits += letter;
      point += fraction ? 0 : 1;
    } else {
      point -= fraction ? 1 : 0;
    }
  }
  if (!any) return false;
  std::int64_t exponent = 0;
  if (!text.empty()) {
    if (text.front() != 'e' && text.front() != 'E') return false;
    text.remove_prefix(1);
    if (!read_exponent(text, exponent)) return false;
  }
  while (!decimal.digits.empty() && decimal.digits.back() == '0') decimal.digits.pop_back();
  decimal.exponent = point + exponent;
  return true;
}

}  // namespace assay::inline v0::detail
