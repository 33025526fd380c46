#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/detail/word_format.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Codes of a layout in vectors of 32-bit words, to and from binary32, as `encode` and `decode` have them: rounded to
/// nearest even. Additions of floating-point numbers do the rounding among subnormal numbers; they are exact, or round
/// once, where this thread rounds to nearest, and need none of binary32's subnormal numbers.
template <FloatLayout layout, std::size_t Bytes>
struct WordCodes {
  using Words = typename Vector<std::uint32_t, Bytes>::Type;
  using Signed = typename Vector<std::int32_t, Bytes>::Type;
  using Singles = typename Vector<float, Bytes>::Type;

  static constexpr int shift = 23 - layout.fraction_bits;
  static constexpr std::uint32_t binary32_infinity = 0x7f800000U, binary32_nan = 0x7fc00000U, magnitudes = 0x7fffffffU;
  static constexpr bool same_exponents = layout.exponent_bits == 8 && layout.bias == 127;
  static constexpr std::uint32_t sign = static_cast<std::uint32_t>(layout.sign_mask());
  static constexpr int sign_shift = 32 - layout.bits();
  /// What an exponent field of binary32 has more than the layout's; of the smallest normal number; of the number
  /// whose unit in the last place is the smallest subnormal one.
  static constexpr std::uint32_t exponent_offset = static_cast<std::uint32_t>(127 - layout.bias) << 23;
  static constexpr std::uint32_t smallest_normal = exponent_offset + (1U << 23);
  static constexpr std::uint32_t rounder = smallest_normal + (static_cast<std::uint32_t>(shift) << 23);
  static constexpr std::uint32_t largest = static_cast<std::uint32_t>(layout.max_finite_bits());

  /// What becomes of magnitudes beyond: a code without its sign. It is the next after the largest number's, be it an
  /// infinity or NaN, or that one.
  [[nodiscard]] static constexpr std::uint32_t beyond(Overflow overflow) {
    return static_cast<std::uint32_t>(overflowed(layout, false, Rounding::nearest_even, overflow));
  }
  static_assert(beyond(Overflow::ieee) - largest <= 1 && beyond(Overflow::saturate) == largest);

  /// The smaller, or larger, of lanes below 2^31.
  ASSAY_DETAIL_INLINE static void at_most(Words& words, const Words& bound) {
#if defined(__x86_64__) && !defined(__clang__)  // g++ compares and blends
    if constexpr (Bytes > 16) {
      asm("vpminsd %1, %0, %0" : "+v"(words) : "v"(bound));
      return;
    }
#endif
    words = Signed(words) < Signed(bound) ? words : bound;
  }
  ASSAY_DETAIL_INLINE static void at_least(Words& words, const Words& bound) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes > 16) {
      asm("vpmaxsd %1, %0, %0" : "+v"(words) : "v"(bound));
      return;
    }
#endif
    words = Signed(words) > Signed(bound) ? words : bound;
  }

  /// binary32 → code. `beyond` is what the function of that name gives.
  ASSAY_DETAIL_INLINE static void encode(Words& words, const std::uint32_t& beyond) {
    const Words magnitude = words & magnitudes;
    Words code;
    round(magnitude, code);
    at_most(code, Words{} + beyond);  // the code after that of the largest number, or that one
    Words signs;
    signs_of(words, code, signs);
    constexpr std::uint32_t nan =
        static_cast<std::uint32_t>(layout.has_nan() ? layout.nan_bits() : layout.max_finite_bits());
    words = Signed(magnitude) > Signed(Words{} + binary32_infinity) ? Words{} + nan : code | signs;
  }

  /// The code of a magnitude but for what `octet_excess` says and for the largest number, in the lowest byte; the
  /// others are 0. For codes of a byte or less. Added to a power of two the unit in the last place of which is that of
  /// the code, the magnitude is rounded; there it stands below the exponent.
  ASSAY_DETAIL_INLINE static void encode_octet(Words& words) {
    static_assert(shift > layout.fraction_bits + 1 && layout.bits() <= 8);
    const Words magnitude = words & magnitudes;
    Words exponent = magnitude & binary32_infinity;
    at_least(exponent, Words{} + smallest_normal);
    const Words rounded = Words(Singles(magnitude) + Singles(exponent) * static_cast<float>(1U << shift));
    words = (rounded + (rounded >> shift)) & 0xff;
  }
  static constexpr std::uint8_t octet_excess = static_cast<std::uint8_t>(rounder >> shift);

  /// code → binary32: exact; some NaN for a NaN.
  ASSAY_DETAIL_INLINE static void decode(Words& words) {
    if constexpr (same_exponents) {
      words = words << shift;
    } else {
      const Words magnitude = words & static_cast<std::uint32_t>(layout.magnitude_mask());
      const Words shifted = (magnitude << shift) + exponent_offset;
      const Singles subnormal = Singles(shifted + (1U << 23)) - __builtin_bit_cast(float, smallest_normal);
      Words value = Signed(magnitude) < Signed(Words{} + (1U << layout.fraction_bits)) ? Words(subnormal) : shifted;
      if constexpr (layout.specials == SpecialValues::ieee) {
        constexpr std::uint32_t infinity = static_cast<std::uint32_t>(layout.infinity_bits());
        value = Signed(magnitude) > Signed(Words{} + (infinity - 1)) ? (magnitude << shift) | binary32_infinity : value;
      } else if constexpr (layout.specials == SpecialValues::finite_nan) {
        value = magnitude == static_cast<std::uint32_t>(layout.magnitude_mask()) ? Words{} + binary32_nan : value;
      } else if constexpr (layout.specials == SpecialValues::fnuz) {
        value = words == sign ? Words{} + binary32_nan : value;
      }
      words = value | ((words & sign) << sign_shift);
    }
  }

 private:
  /// The code of a magnitude, as if there were no largest one.
  ASSAY_DETAIL_INLINE static void round(const Words& magnitude, Words& code) {
    code = magnitude;
    if constexpr (shift > 0) {
      constexpr std::uint32_t below_half = (1U << (shift - 1)) - 1;
      code = (magnitude + (below_half - exponent_offset) + ((magnitude >> shift) & 1)) >> shift;
    }
    if constexpr (!same_exponents) {
      const Singles rounded = Singles(magnitude) + __builtin_bit_cast(float, rounder);
      code = Signed(magnitude) < Signed(Words{} + smallest_normal) ? Words(rounded) - rounder : code;
    }
  }

  ASSAY_DETAIL_INLINE static void signs_of(const Words& words, const Words& code, Words& signs) {
    signs = (words >> sign_shift) & sign;
    if constexpr (layout.specials == SpecialValues::fnuz) signs = code == 0 ? Words{} : signs;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
