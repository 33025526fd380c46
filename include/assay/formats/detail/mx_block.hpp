#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/limits.hpp"

namespace assay::inline v0::detail {

/// A block of an MX format with floating-point elements: 32 elements that share an e8m0 scale, the code c of which is
/// 2^(c − 127), 255 NaN. Codes of at most 4 bits stand two a byte, the first in the low nibble; others one a byte.
/// Source: OCP Microscaling Formats (MX) Specification 1.0, sections 5 and 6.
template <Format Element>
struct MxBlock {
  static constexpr std::size_t elements = 32;
  static constexpr bool nibbles = FormatTraits<Element>::layout.bits() <= 4;
  static constexpr std::size_t code_bytes = nibbles ? elements / 2 : elements;
  static constexpr std::uint32_t nan_scale = 255;
  static constexpr std::uint32_t max_exponent =
      static_cast<std::uint32_t>(exponent_of(max_finite<Element>()));  ///< emax
  static constexpr bool has_specials = FormatTraits<Element>::layout.specials != SpecialValues::none;

  /// The scale of a block whose largest magnitude has these bits as a float32: 2^(floor(log2 amax) − emax), at least
  /// 2^−127, which is that of a block of zeros, too; NaN for a block with NaN or infinities.
  [[nodiscard]] ASSAY_FUNCTION static constexpr std::uint32_t scale_of(std::uint32_t amax_bits) {
    const std::uint32_t exponent = amax_bits >> 23;
    if (exponent == 255) return nan_scale;
    return exponent > max_exponent ? exponent - max_exponent : 0;
  }
  /// The value of a scale's code.
  [[nodiscard]] ASSAY_FUNCTION static constexpr float scale_value(std::uint8_t code) {
    return __builtin_bit_cast(float, code == nan_scale ? 0x7fc00000U
                                     : code == 0       ? 0x00400000U
                                                       : static_cast<std::uint32_t>(code) << 23);
  }

  /// Encodes a block: elements are rounded to nearest even and saturate; the codes of a block whose scale is NaN are 0.
  ASSAY_FUNCTION static void encode(const float* from, std::uint8_t& scale, std::uint8_t* codes) {
    std::uint32_t amax = 0;
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, from[i]) & 0x7fffffffU;
      amax = magnitude > amax ? magnitude : amax;
    }
    scale = static_cast<std::uint8_t>(scale_of(amax));
    const double factor = power_of_two(127 - static_cast<int>(scale));
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint8_t code = scale == nan_scale
                                    ? std::uint8_t{0}
                                    : FormatTraits<Element>::to_bits(assay::encode<Element>(
                                          assay::decode(from[i]) * factor, Rounding::nearest_even, Overflow::saturate));
      if (!nibbles)
        codes[i] = code;
      else if (i % 2 == 0)
        codes[i / 2] = code;
      else
        codes[i / 2] = static_cast<std::uint8_t>(codes[i / 2] | code << 4);
    }
  }

  /// Decodes a block: element times scale, rounded to float32 where that is beyond it; the scale NaN makes all NaN.
  ASSAY_FUNCTION static void decode(std::uint8_t scale, const std::uint8_t* codes, float* to) {
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint8_t code = nibbles ? static_cast<std::uint8_t>(codes[i / 2] >> (4 * (i % 2)) & 15) : codes[i];
      to[i] = assay::encode<float32>(assay::decode(FormatTraits<Element>::from_bits(code)) *
                                     static_cast<double>(scale_value(scale)));
    }
  }
};

}  // namespace assay::inline v0::detail
