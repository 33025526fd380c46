#pragma once

#include <cstdint>
#include <string>

namespace assay::inline v0::detail {

/// "0x00000000000000ff", or of as many digits as given.
[[nodiscard]] inline std::string hexadecimal(std::uint64_t bits, int digits = 16) {
  std::string text = "0x";
  for (int digit = digits; digit-- > 0;) text += "0123456789abcdef"[bits >> 4 * digit & 15];
  return text;
}

}  // namespace assay::inline v0::detail
