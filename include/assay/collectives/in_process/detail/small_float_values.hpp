#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/small_formats.hpp"

namespace assay::inline v0::detail {

/// All bits where a < b, else none. Precondition: both are below 2^31.
[[nodiscard]] ASSAY_DETAIL_INLINE std::uint32_t is_less(std::uint32_t a, std::uint32_t b) {
  return 0U - static_cast<std::uint32_t>(static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b));
}
/// `a` where `mask` has all bits, `b` where it has none. Compilers make branches of ?:, and no vectors of those.
[[nodiscard]] ASSAY_DETAIL_INLINE std::uint32_t chosen(std::uint32_t mask, std::uint32_t a, std::uint32_t b) {
  return (a & mask) | (b & ~mask);
}

/// Small formats as float32 and back, without branches, so that loops over them become vectors. Rounds to nearest even;
/// overflow as IEEE 754 has it. Whatever stands below float32's normal numbers is computed in integers, so that
/// flushing does no harm, but to bfloat16, which has float32's exponents.
template <class Format>
struct SmallFloatValues;

template <FloatLayout Layout>
struct SmallFloatValues<SmallFloat<Layout>> {
  using Format = SmallFloat<Layout>;
  static constexpr std::uint32_t fraction_bits = static_cast<std::uint32_t>(Layout.fraction_bits),
                                 shift = 23 - fraction_bits;
  static constexpr std::uint32_t bias = static_cast<std::uint32_t>(Layout.bias),
                                 magnitude_bits = static_cast<std::uint32_t>(Layout.bits()) - 1;
  static constexpr std::uint32_t magnitude_mask = (1U << magnitude_bits) - 1;
  static constexpr bool has_infinity = Layout.specials == SpecialValues::ieee;
  /// Magnitudes from here on are not finite: infinity where there is one, else the NaN.
  static constexpr std::uint32_t first_special =
      has_infinity ? magnitude_mask >> fraction_bits << fraction_bits : magnitude_mask;
  static constexpr float smallest_step = std::bit_cast<float>((127 + 1 - bias - fraction_bits) << 23);
  static constexpr std::uint32_t infinity = 0x7f800000, quiet_nan = 0x7fc00000;

  ASSAY_DETAIL_INLINE static float load(Format element) {
    const std::uint32_t code = element.bits, magnitude = code & magnitude_mask;
    const std::uint32_t normal = (magnitude << shift) + ((127 - bias) << 23);
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * smallest_step);
    const std::uint32_t number = chosen(is_less(magnitude, 1U << fraction_bits), subnormal, normal);
    const std::uint32_t special =
        has_infinity ? chosen(is_less(first_special, magnitude), quiet_nan, infinity) : quiet_nan;
    return std::bit_cast<float>(chosen(is_less(magnitude, first_special), number, special) |
                                (code >> magnitude_bits << 31));
  }

  ASSAY_DETAIL_INLINE static Format store(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & 0x7fffffffU;
    const std::uint32_t normal = rounded(magnitude - ((127 - bias) << 23));
    // added to a number whose last place is the format's smallest step, the value is rounded to that
    constexpr std::uint32_t aligner = (127 + 1 - bias - fraction_bits + 23) << 23;
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(aligner)) - aligner;
    const std::uint32_t number = chosen(is_less(magnitude, (127 + 1 - bias) << 23), subnormal, normal);
    const std::uint32_t special = chosen(is_less(infinity, magnitude), quiet_nan_code, first_special);
    const std::uint32_t is_number = is_less(magnitude, infinity) & is_less(number, first_special);
    return Format::from_bits(
        static_cast<typename Format::Bits>(chosen(is_number, number, special) | (bits >> 31 << magnitude_bits)));
  }

 private:
  static constexpr std::uint32_t quiet_nan_code =
      has_infinity ? first_special | 1U << (fraction_bits - 1) : magnitude_mask;
  ASSAY_DETAIL_INLINE static std::uint32_t rounded(std::uint32_t magnitude) {
    return (magnitude + (1U << (shift - 1)) - 1 + (magnitude >> shift & 1)) >> shift;
  }
};

template <>
struct SmallFloatValues<bfloat16> {
  ASSAY_DETAIL_INLINE static float load(bfloat16 element) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(element.bits) << 16);
  }
  ASSAY_DETAIL_INLINE static bfloat16 store(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x40;
    return bfloat16::from_bits(
        static_cast<std::uint16_t>(chosen(is_less(0x7f800000, bits & 0x7fffffffU), nan, rounded)));
  }
};

}  // namespace assay::inline v0::detail
