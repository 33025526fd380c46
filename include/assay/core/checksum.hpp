#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::inline v0::detail {

/// Tables for eight bytes a step. Source: Kounavis, Berry, "A systematic approach to building high performance
/// software-based CRC generators", ISCC 2005.
inline constexpr auto cyclic_redundancy_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
    tables[0][byte] = value;
  }
  for (std::size_t table = 1; table < 8; ++table)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[table][byte] = (tables[table - 1][byte] >> 8) ^ tables[0][tables[table - 1][byte] & 255];
  return tables;
}();

/// CRC-32 as of gzip, ZIP, PNG and Python's zlib.crc32: every error within 32 successive bits shows. O(size).
[[nodiscard]] inline std::uint32_t crc32(std::string_view text) noexcept {
  const auto& tables = cyclic_redundancy_tables;
  std::uint32_t value = 0xFFFFFFFFu;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  for (; text.size() >= 8; text.remove_prefix(8)) {
    value ^= byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    value = tables[7][value & 255] ^ tables[6][value >> 8 & 255] ^ tables[5][value >> 16 & 255] ^
            tables[4][value >> 24] ^ tables[3][byte(4)] ^ tables[2][byte(5)] ^ tables[1][byte(6)] ^ tables[0][byte(7)];
  }
  for (; !text.empty(); text.remove_prefix(1)) value = (value >> 8) ^ tables[0][(value ^ byte(0)) & 255];
  return ~value;
}

}  // namespace assay::inline v0::detail
