#pragma once

#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// How the codes of a row stand in bytes.
enum class CodePacking {
  bytes,      ///< one code a byte, in its lowest bits; the other bits are zero
  low_first,  ///< without gaps from the lowest bit of the first byte on: of two 4-bit codes the first is the low nibble
  /// without gaps from the highest bit of the first byte on: of two 4-bit codes the first is the high nibble
  high_first
};

/// Bytes of a row of `count` codes of `bits` ≤ 8 bits; the bits that are left over are zero.
[[nodiscard]] ASSAY_FUNCTION constexpr Index packed_bytes(CodePacking packing, int bits, Index count) {
  return packing == CodePacking::bytes ? count : (count * bits + 7) / 8;
}

namespace detail {
struct BitPlace {
  Index byte;
  int shift;  ///< of the code, counted from the lowest bit of the byte; negative: it reaches into the next byte
};
[[nodiscard]] ASSAY_FUNCTION constexpr BitPlace place_of_code(CodePacking packing, int bits, Index position) {
  if (packing == CodePacking::bytes) return {position, 0};
  const Index first = position * bits;
  const int within = static_cast<int>(first % 8);
  return {first / 8, packing == CodePacking::low_first ? within : 8 - bits - within};
}
}  // namespace detail

/// The code at a position of a row. Reads only bytes that hold some of it.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t read_code(const std::uint8_t* row, CodePacking packing, int bits,
                                                               Index position) {
  const detail::BitPlace place = detail::place_of_code(packing, bits, position);
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  const std::uint32_t first = row[place.byte];
  if (place.shift >= 0 && place.shift + bits <= 8)
    return packing == CodePacking::bytes ? first : first >> place.shift & mask;
  const std::uint32_t second = row[place.byte + 1];
  if (packing == CodePacking::low_first) return (first >> place.shift | second << (8 - place.shift)) & mask;
  return (first << -place.shift | second >> (8 + place.shift)) & mask;
}

/// Writes a code to its place and leaves the other bits as they are.
ASSAY_FUNCTION constexpr void write_code(std::uint8_t* row, CodePacking packing, int bits, Index position,
                                         std::uint32_t code) {
  const detail::BitPlace place = detail::place_of_code(packing, bits, position);
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  if (packing == CodePacking::bytes) {
    row[place.byte] = static_cast<std::uint8_t>(code);
    return;
  }
  const std::uint32_t own = code & mask;
  const auto put = [&](Index byte, std::uint32_t where, std::uint32_t what) {
    row[byte] = static_cast<std::uint8_t>((row[byte] & ~where) | (what & where & 0xFF));
  };
  if (place.shift >= 0 && place.shift + bits <= 8) return put(place.byte, mask << place.shift, own << place.shift);
  if (packing == CodePacking::low_first) {
    put(place.byte, mask << place.shift, own << place.shift);
    put(place.byte + 1, mask >> (8 - place.shift), own >> (8 - place.shift));
  } else {
    put(place.byte, mask >> -place.shift, own >> -place.shift);
    put(place.byte + 1, mask << (8 + place.shift), own << (8 + place.shift));
  }
}

}  // namespace assay::inline v0
