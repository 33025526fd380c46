#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::inline v0::detail {

inline void append_little_endian(std::string& text, std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte) text += static_cast<char>(static_cast<unsigned char>(value >> (8 * byte)));
}

/// Precondition: eight bytes from `position` on.
[[nodiscard]] inline std::uint64_t read_little_endian(std::string_view text, std::size_t position) {
  std::uint64_t value = 0;
  for (std::size_t byte = 8; byte-- > 0;) value = value << 8 | static_cast<unsigned char>(text[position + byte]);
  return value;
}

[[nodiscard]] inline std::uint64_t bits_of_double(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
[[nodiscard]] inline double double_of_bits(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

}  // namespace assay::inline v0::detail
