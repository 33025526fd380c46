#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/float_layout.hpp"
#include "assay/formats/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Single-precision numbers from any address to doubles. Memory is asked for what follows: what is done with each
/// number keeps processors from reading far ahead.
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

// clang-format off
/// 2^(j/16).
alignas(64) inline constexpr double sixteenth_powers[16] = {
    0x1p+0,                0x1.0b5586cf9890fp+0,  0x1.172b83c7d517bp+0,  0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,  0x1.3dea64c123422p+0,  0x1.4bfdad5362a27p+0,  0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,  0x1.7a11473eb0187p+0,  0x1.8ace5422aa0dbp+0,  0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0,  0x1.c199bdd85529cp+0,  0x1.d5818dcfba487p+0,  0x1.ea4afa2a490dap+0};
// clang-format on
/// The same as bits, less j·2⁴⁸, which comes back with an exponent that is shifted from a number of sixteenths.
struct SixteenthPowers {
  alignas(64) std::uint64_t bits[16];
  constexpr SixteenthPowers() : bits() {
    for (std::uint64_t j = 0; j < 16; ++j) bits[j] = bits_of(sixteenth_powers[j]) - (j << 48);
  }
};
inline constexpr SixteenthPowers sixteenth_power_bits;

/// e^x of a vector of doubles, −708 ≤ x ≤ 709: 2^k·e^r with k the integer nearest x·log₂e, |r| ≤ ln 2/2, and a
/// polynomial for e^r, by Chebyshev interpolation; or, where registers hold a table of sixteen, with k the nearest
/// sixteenth, |r| ≤ ln 2/32, and Taylor's polynomial of degree 6, two thirds of the multiplications. The relative error
/// is below 10⁻¹⁵.
template <std::size_t Bytes>
struct VectorExponential {
  using Doubles = typename Vector<double, Bytes>::Type;
  using Words = typename Vector<std::uint64_t, Bytes>::Type;  // whose sums may wrap, as those of what is no exponent do

  ASSAY_DETAIL_INLINE static void apply(Doubles& x) {
    constexpr double integers = 0x1.8p52;  // numbers beside it are spaced by 1
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes == 64) {
      const Doubles shifted = x * 0x1.71547652b82fep+4 + integers, k = shifted - integers;
      Doubles r = x - k * 0x1.62e42feep-5;  // exact for these k
      r = r - k * 0x1.a39ef35793c76p-37;
      const Doubles square = r * r;
      const Doubles tail = (0.5 + r * (1.0 / 6)) + square * ((1.0 / 24 + r * (1.0 / 120)) + square * (1.0 / 720));
      using Place = typename Vector<std::uint64_t, Bytes>::Unaligned;
      const Words low = *reinterpret_cast<const Place*>(sixteenth_power_bits.bits),
                  high = *reinterpret_cast<const Place*>(sixteenth_power_bits.bits + 8), sixteenths = Words(shifted);
      const Doubles power = Doubles(__builtin_shuffle(low, high, sixteenths) + (sixteenths << 48));
      x = power + power * (r + square * tail);
      return;
    }
#endif
    const Doubles shifted = x * 0x1.71547652b82fep+0 + integers, k = shifted - integers;
    Doubles r = x - k * 0x1.62e42feep-1;  // exact for these k
    r = r - k * 0x1.a39ef35793c76p-33;
    // by Estrin's scheme: processors work at few vectors at once, and Horner's is a chain of eleven steps
    const Doubles square = r * r, fourth = square * square;
    const Doubles first = (1.0 + r) + square * (0x1.0000000000011p-1 + r * 0x1.555555555555ap-3);
    const Doubles second = (0x1.555555554f0cep-5 + r * 0x1.111111110f225p-7) +
                           square * (0x1.6c16c187fbea9p-10 + r * 0x1.a01a01b1437f6p-13);
    const Doubles third = (0x1.a01991ac6b2ddp-16 + r * 0x1.71ddf5748bd71p-19) +
                          square * (0x1.28b405992d897p-22 + r * 0x1.af631d203b4edp-26);
    const Doubles power = first + fourth * (second + fourth * third);
    x = Doubles(Words(power) + (Words(shifted) << 52));
  }
};

/// The same of singles, −87 ≤ x ≤ 88. The relative error is below 2⁻²³ where there is a fused multiply-add.
template <std::size_t Bytes>
struct SingleExponential {
  using Singles = typename Vector<float, Bytes>::Type;
  using Words = typename Vector<std::uint32_t, Bytes>::Type;

  ASSAY_DETAIL_INLINE static void apply(Singles& x) {
    constexpr float integers = 0x1.8p23F;
    const Singles shifted = x * 0x1.715476p+0F + integers, k = shifted - integers;
    Singles r = x - k * 0x1.62e4p-1F;  // exact
    r = r - k * 0x1.7f7d1cp-20F;
    const Singles square = r * r;
    const Singles tail =
        (0x1.0p-1F + r * 0x1.5554dcp-3F) + square * ((0x1.55551ap-5F + r * 0x1.120ba2p-7F) + square * 0x1.6d113cp-10F);
    const Singles power = 1.0F + r * (1.0F + r * tail);
    x = Singles(Words(power) + (Words(shifted) << 23));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
