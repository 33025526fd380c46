#pragma once

#include "assay/formats/to_text.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string written(std::uint64_t digits, int exponent) {
  while (digits % 10 == 0) {
    digits /= 10;
    ++exponent;
  }
  std::string text = std::to_string(digits);
  const int count = static_cast<int>(text.size()), leading = exponent + count - 1;  // the exponent of the first digit
  if (leading < -5 || leading >= 16) {
    if (count > 1) text.insert(1, 1, '.');
    return text.append("e").append(std::to_string(leading));
  }
  if (exponent >= 0) return text.append(static_cast<std::size_t>(exponent), '0');
  if (leading >= 0) return text.insert(static_cast<std::size_t>(leading) + 1, 1, '.');
  return text.insert(0, static_cast<std::size_t>(-leading), '0').insert(1, 1, '.');
}

}  // namespace assay::inline v0::detail
