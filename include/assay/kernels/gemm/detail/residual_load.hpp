#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/format_traits.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Two vectors of consecutive elements, decoded. Two, because g++ 12 widens half of a vector in four instructions, and
/// a whole one into two vectors in three.
template <std::size_t VectorBytes>
struct DecodedPair {
  using Value = typename Vector<double, VectorBytes>::Type;
  using Words = typename Vector<std::uint32_t, VectorBytes>::Type;
  using Floats = typename Vector<float, VectorBytes>::Type;
  static constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);

  Value values[2] = {};

  template <Format T>
  ASSAY_DETAIL_INLINE void load(const T* source) {
    if constexpr (std::is_same_v<T, float64>) {
      using Memory = typename Vector<double, VectorBytes>::Unaligned;
      values[0] = *reinterpret_cast<const Memory*>(source);
      values[1] = *reinterpret_cast<const Memory*>(source + lanes);
    } else if constexpr (std::is_same_v<T, float32>) {
      const Floats floats = *reinterpret_cast<const typename Vector<float, VectorBytes>::Unaligned*>(
          source);  // a reference would claim alignment
      widen(floats);
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      Words code;
      load_codes(source, code);
      widen(__builtin_bit_cast(Floats, code << 16));
    } else if constexpr (std::is_same_v<T, float16>) {
      Words code;
      load_codes(source, code);
      const Words magnitude = code & 0x7fff;
      // fraction and exponent where float32 has them; the product with a power of two mends the bias, and subnormals
      const Floats scaled = __builtin_bit_cast(Floats, magnitude << 13) * 0x1p112F;
      const Words special = __builtin_bit_cast(Words, magnitude > 0x7bff) & 0x7f800000;
      widen(__builtin_bit_cast(Floats, __builtin_bit_cast(Words, scaled) | special | ((code & 0x8000) << 16)));
    } else {
      load_some(source, 2 * lanes);
    }
  }

  /// The first `present` elements, and zeros.
  template <Format T>
  ASSAY_DETAIL_INLINE void load_some(const T* source, Index present) {
    double decoded[2 * lanes] = {};
    for (Index lane = 0; lane < 2 * lanes && lane < present; ++lane) decoded[lane] = decode(source[lane]);
    load(decoded);
  }

 private:
  template <Format T>
  ASSAY_DETAIL_INLINE static void load_codes(const T* source, Words& code) {
    const typename Vector<std::uint16_t, VectorBytes / 2>::Type halves =
        *reinterpret_cast<const typename Vector<std::uint16_t, VectorBytes / 2>::Unaligned*>(source);
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (VectorBytes == 64) {  // g++ 12 widens two halves, and puts them together
      asm("vpmovzxwd {%1, %0|%0, %1}" : "=v"(code) : "v"(halves));
      return;
    }
#endif
    code = __builtin_convertvector(halves, Words);
  }
  ASSAY_DETAIL_INLINE void widen(const Floats& floats) {
    using Wide __attribute__((vector_size(2 * VectorBytes))) = double;
    union {
      Wide wide;
      Value halves[2];
    } both;
    both.wide = __builtin_convertvector(floats, Wide);
    values[0] = both.halves[0];
    values[1] = both.halves[1];
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
