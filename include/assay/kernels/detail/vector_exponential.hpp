#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/detail/vector_variants.hpp"
#include "assay/formats/detail/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Single-precision numbers from any address to doubles. Memory is asked for what follows: what is done with each number keeps processors from reading far ahead.
template <std::size_t Bytes>
struct WidenSingles {
  using Doubles = typename Vector<double, Bytes>::Type;
  static constexpr std::size_t lanes = Bytes / 8;
  using Singles = typename Vector<float, Bytes / 2>::Unaligned;
  ASSAY_DETAIL_INLINE static void load(const float* from, Doubles& to) {
    foresee<sizeof(Singles)>(from);
    const Singles& singles = *reinterpret_cast<const Singles*>(from);
#if defined(__x86_64__) && !defined(__clang__)  // g++ takes the generic form apart
    if constexpr (Bytes > 16) {
      asm("vcvtps2pd %1, %0" : "=v"(to) : "m"(singles));
      return;
    }
#endif
    to = __builtin_convertvector(singles, Doubles);
  }
};

/// e^x of a vector of doubles, −708 ≤ x ≤ 709: 2^k·e^r with k the integer nearest x·log₂e, |r| ≤ ln 2/2, and a polynomial for e^r, by Chebyshev interpolation. The relative error
/// is below 10⁻¹⁵.
template <std::size_t Bytes>
struct VectorExponential {
  using Doubles = typename Vector<double, Bytes>::Type;
  using Longs = typename Vector<std::int64_t, Bytes>::Type;

  ASSAY_DETAIL_INLINE static void apply(Doubles& x) {
    constexpr double integers = 0x1.8p52;  // numbers beside it are spaced by 1
    const Doubles shifted = x * 0x1.71547652b82fep+0 + integers, k = shifted - integers;
    Doubles r = x - k * 0x1.62e42feep-1;  // exact for these k
    r = r - k * 0x1.a39ef35793c76p-33;
    // by Estrin's scheme: processors work at few vectors at once, and Horner's is a chain of eleven steps
    const Doubles square = r * r, fourth = square * square;
    const Doubles first = (1.0 + r) + square * (0x1.0000000000011p-1 + r * 0x1.555555555555ap-3);
    const Doubles second = (0x1.555555554f0cep-5 + r * 0x1.111111110f225p-7) + square * (0x1.6c16c187fbea9p-10 + r * 0x1.a01a01b1437f6p-13);
    const Doubles third =
        (0x1.a01991ac6b2ddp-16 + r * 0x1.71ddf5748bd71p-19) + square * (0x1.28b405992d897p-22 + r * 0x1.af631d203b4edp-26);
    const Doubles power = first + fourth * (second + fourth * third);
    x = Doubles(Longs(power) + (Longs(shifted) << 52));
  }
};

/// The same of singles, −87 ≤ x ≤ 88. The relative error is below 2⁻²³ where there is a fused multiply-add.
template <std::size_t Bytes>
struct SingleExponential {
  using Singles = typename Vector<float, Bytes>::Type;
  using Ints = typename Vector<std::int32_t, Bytes>::Type;

  ASSAY_DETAIL_INLINE static void apply(Singles& x) {
    constexpr float integers = 0x1.8p23F;
    const Singles shifted = x * 0x1.715476p+0F + integers, k = shifted - integers;
    Singles r = x - k * 0x1.62e4p-1F;  // exact
    r = r - k * 0x1.7f7d1cp-20F;
    const Singles square = r * r;
    const Singles tail = (0x1.0p-1F + r * 0x1.5554dcp-3F) + square * ((0x1.55551ap-5F + r * 0x1.120ba2p-7F) + square * 0x1.6d113cp-10F);
    const Singles power = 1.0F + r * (1.0F + r * tail);
    x = Singles(Ints(power) + (Ints(shifted) << 23));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
