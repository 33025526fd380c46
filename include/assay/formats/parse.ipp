#pragma once

#include "assay/formats/parse.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool read_hexadecimal(std::string_view text, double& magnitude) {
  std::uint64_t significand = 0;
  std::int64_t scale = 0;  // value = significand · 2^scale
  bool any = false, fraction = false, sticky = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char letter = text.front();
    if (letter == '.' && !fraction) {
      fraction = true;
      continue;
    }
    const int digit = letter >= '0' && letter <= '9'   ? letter - '0'
                      : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                      : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                                       : -1;
    if (digit < 0) break;
    any = true;
    const bool kept = significand >> 60 == 0;
    if (kept)
      significand = significand << 4 | static_cast<std::uint64_t>(digit);
    else
      sticky = sticky || digit != 0;
    scale += (kept ? 0 : 4) - (fraction ? 4 : 0);
  }
  if (!any) return false;
  if (!text.empty()) {
    if (text.front() != 'p' && text.front() != 'P') return false;
    text.remove_prefix(1);
    std::int64_t exponent = 0;
    if (!read_exponent(text, exponent)) return false;
    scale += exponent;
  }
  magnitude = 0;
  if (significand == 0) return true;
  while (significand >> 63 == 0) {
    significand <<= 1;
    --scale;
  }
  const std::int64_t exponent = scale + 63;
  if (exponent > 1023)
    magnitude = beyond_all;
  else if (exponent < -1074)
    magnitude = below_all;
  else {
    const int dropped = exponent < -1022 ? static_cast<int>(11 + -1022 - exponent) : 11;  // 1 to 53 bits are kept
    const std::uint64_t kept = significand >> dropped;
    sticky = sticky || (kept << dropped) != significand;
    const std::uint64_t field =
        exponent < -1022 ? 0 : static_cast<std::uint64_t>(exponent + 1022) << 52;  // the implicit bit adds 1
    magnitude = double_of((field + kept) | (sticky ? 1 : 0));
  }
  return true;
}

}  // namespace assay::inline v0::detail
