#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/formats/block_values.hpp"
#include "assay/tensor/random_values.hpp"

namespace assay::inline v0 {

/// Patterns of codes and scales for dequantizers. Codes are random in all of them, so that every one occurs.
enum class DequantizeFillKind {
  codes,   ///< finite codes, scales about 1 that differ from block to block
  ranges,  ///< finite codes, scales from one end of their range to the other, as far as float32 holds the products
  /// all codes, NaN among them where there is one, and blocks marked by a scale of NaN where the scheme has them
  special
};

/// In the order of `DequantizeFillKind`.
inline constexpr std::array<DequantizeFillKind, 3> all_dequantize_fills{
    DequantizeFillKind::codes, DequantizeFillKind::ranges, DequantizeFillKind::special};

/// The name in ids.
[[nodiscard]] constexpr std::string_view name_of(DequantizeFillKind kind) noexcept {
  switch (kind) {
    case DequantizeFillKind::codes: return "codes";
    case DequantizeFillKind::ranges: return "ranges";
    case DequantizeFillKind::special: return "special";
  }
  return "codes";
}

/// Whether a pattern has anything special for a scheme.
[[nodiscard]] constexpr bool fits(DequantizeFillKind kind, const BlockScaling& scheme) {
  return kind != DequantizeFillKind::special || scheme.element.has_nan() ||
         scheme.specials == SpecialValueRule::poison_block;
}

/// Codes and scales by their places: pure functions of the members.
struct DequantizeFill {
  DequantizeFillKind kind = DequantizeFillKind::codes;
  std::uint64_t seed = 0;  ///< the same seed gives the same codes
  BlockScaling scheme;     ///< of the codes

  /// The code of that element.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t code(Index row, Index column) const {
    const CodeFormat& element = scheme.element;
    const RandomBits drawn = random_bits(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
    const std::uint32_t code = drawn.words[0] & element.code_mask();
    if (element.kind == CodeKind::integer)
      return static_cast<std::uint32_t>(
                 element.lowest +
                 static_cast<int>(
                     uniform_below(drawn.words[1], static_cast<std::uint32_t>(element.highest - element.lowest + 1)))) &
             element.code_mask();
    return kind == DequantizeFillKind::special || is_finite(element.decode(code)) ? code : code & 1;
  }
  /// The code of that block's scale.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t scale(Index block_row, Index block_column) const {
    const RandomBits drawn = of_block(block_row, block_column);
    const CodeFormat& format = scheme.scale;
    if (kind == DequantizeFillKind::special && scheme.specials == SpecialValueRule::poison_block &&
        drawn.words[2] % 4 == 0)
      return format.nan_code();
    if (kind == DequantizeFillKind::ranges && format.bits == 8) {  // every code but NaN
      const std::uint32_t codes = static_cast<std::uint32_t>(format.layout.max_finite_bits()) + 1;
      return uniform_below(drawn.words[0], codes);
    }
    const int reach = kind == DequantizeFillKind::ranges ? 80 : 6;
    const double significand = 1 + static_cast<double>(drawn.words[1] >> 9) * 0x1p-23;
    return format.encode(
        power_of_two(static_cast<int>(uniform_below(drawn.words[0], static_cast<std::uint32_t>(2 * reach + 1))) -
                     reach) *
        (format.holds_only_powers_of_two() ? 1 : significand));
  }
  /// The zero point of that block.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t zero_point(Index block_row, Index block_column) const {
    const CodeFormat& element = scheme.element;
    const auto range = static_cast<std::uint32_t>(element.highest - element.lowest);
    return static_cast<std::uint32_t>(
               element.lowest + 1 +
               static_cast<int>(uniform_below(of_block(block_row, block_column).words[3], range))) &
           element.code_mask();  // never 0 of unsigned codes
  }
  /// The scale of the tensor.
  [[nodiscard]] ASSAY_FUNCTION constexpr float tensor_scale() const { return 0.0123F; }

 private:
  [[nodiscard]] ASSAY_FUNCTION constexpr RandomBits of_block(Index row, Index column) const {
    return random_bits(seed + 0x9E3779B97F4A7C15u, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
  }
};

}  // namespace assay::inline v0
