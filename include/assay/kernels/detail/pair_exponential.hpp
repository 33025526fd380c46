#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_conversion.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/detail/pair_arithmetic.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

// clang-format off
/// 2^(j/32).
inline constexpr double thirty_second_powers[32] = {
    0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0, 0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0,
    0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0, 0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0, 0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0,
    0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0, 0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0, 0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0,
    0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0};
// clang-format on

/// 2^(j/32) times a factor as singles, each with what it lacks relative to itself. Of the singles' bits j·2¹⁸ is taken,
/// which comes back with the exponent.
struct PairPowers {
  static constexpr std::size_t entries = 32;
  alignas(64) std::int32_t power[entries];
  alignas(64) float rest[entries];
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// factor·e^(x + rest) = P·(1 + r + q) of a vector of singles, |x| ≤ 80: P a power of the table, k the nearest integer
/// to 32x·log₂e, r = x − k·ln 2/32 the part that is exact, as the single that is subtracted has six trailing zeros and
/// r at most 24 bits, and q all else. With s = r + q₀, q₀ what the singles for ln 2/32 and the power lack, e^s − 1 = s
/// + s²·(1/2 + s/6 + s²/24), |s| ≤ ln 2/64. Off by less than 2⁻³⁵ of the whole: s² by three roundings (2⁻³⁶·⁴), its
/// product by two (2⁻³⁷), all else below that. For instruction sets with a fused multiply-add.
template <std::size_t Bytes>
struct PairExponential {
  static constexpr double error = 0x1p-35;
  using Singles = typename Vector<float, Bytes>::Type;
  using Ints = typename Vector<std::int32_t, Bytes>::Type;

  /// Precondition: factor, 2·factor and all that is made of the table are normal numbers as singles. What is used as
  /// one single needs no rests.
  ASSAY_DETAIL_INLINE static void fill(double factor, bool with_rests, PairPowers& table) {
    using Doubles = typename Vector<double, Bytes>::Type;
    using HalfSingles = typename Vector<float, Bytes / 2>::Type;
    using HalfInts = typename Vector<std::int32_t, Bytes / 2>::Type;
    constexpr std::size_t lanes = Bytes / sizeof(double);
    HalfInts places{};
    for (std::size_t lane = 0; lane < lanes; ++lane) places[lane] = static_cast<std::int32_t>(lane << 18);
    for (std::size_t j = 0; j < PairPowers::entries; j += lanes) {
      const Doubles exact =
          *reinterpret_cast<const typename Vector<double, Bytes>::Unaligned*>(thirty_second_powers + j) * factor;
      HalfSingles nearest;
      convert_lanes(exact, nearest);
      *reinterpret_cast<typename Vector<std::int32_t, Bytes / 2>::Unaligned*>(table.power + j) =
          HalfInts(nearest) - places;
      places += static_cast<std::int32_t>(lanes << 18);
      if (!with_rests) continue;
      HalfSingles rest;
      Doubles again;
      convert_lanes(nearest, again);
      convert_lanes((exact - again) / exact, rest);
      *reinterpret_cast<typename Vector<float, Bytes / 2>::Unaligned*>(table.rest + j) = rest;
    }
  }

  /// table[index mod 32]
  template <class Words>
  ASSAY_DETAIL_INLINE static void look_up(const void* table, const Ints& index, Words& word) {
    using Element = std::remove_cvref_t<decltype(word[0])>;
    const auto* const words = static_cast<const Element*>(table);
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes > 16) {
      const auto* const vectors = reinterpret_cast<const Words*>(words);
      if constexpr (Bytes == 64) {
        word = __builtin_shuffle(vectors[0], vectors[1], index);
      } else {
        Words high = __builtin_shuffle(vectors[2], index);
        word = __builtin_shuffle(vectors[0], index);
        choose(index << 28, __builtin_shuffle(vectors[1], index), word);
        choose(index << 28, __builtin_shuffle(vectors[3], index), high);
        choose(index << 27, high, word);
      }
      return;
    }
#endif
    for (std::size_t lane = 0; lane < Bytes / 4; ++lane)
      word[lane] = words[static_cast<std::uint32_t>(index[lane]) % PairPowers::entries];
  }

  ASSAY_DETAIL_INLINE static void apply(const PairPowers& table, const Singles& x, const Singles& rest, Singles& power,
                                        Singles& r, Singles& q) {
    Singles shifted, k, lacking;
    reduce(x, shifted, k, r);
    look_up(table.rest, Ints(shifted), lacking);
    lacking += rest;
    subtract_product(lacking, k, Singles{} + -0x1.05c61p-34F);
    const Singles s = r + lacking, square = s * s;
    q = lacking;
    add_product(q, square, 0.5F + s * ((1 / 6.0F) + s * (1 / 24.0F)));
    look_up_power(table, shifted, power);
  }

  /// The same without a rest as one single, off by less than 2⁻²⁴·(3 + |x|/16) of itself: the power and the sum are
  /// rounded, k·ln 2/32 is off by |x|·2⁻²⁸·⁴, and of r³/6 only the line a²/8·r that is nearest for |r| ≤ a = ln 2/64 is
  /// taken, which leaves a³/24 = 2⁻²⁴·²; r⁴/24 is left out.
  ASSAY_DETAIL_INLINE static void apply(const PairPowers& table, Singles& x) {
    Singles shifted, k, r, power;
    reduce(x, shifted, k, r);
    look_up_power(table, shifted, power);
    constexpr double largest = 0.69314718 / 64;
    x = power;
    add_product(x, power * r, 0.5F * r + static_cast<float>(1 + largest * largest / 8));
  }

  /// The same as a pair, which is not normalized.
  ASSAY_DETAIL_INLINE static void pair(const Singles& power, const Singles& r, const Singles& q, Singles& value,
                                       Singles& rest) {
    value = power;
    add_product(value, power, r + q);
    rest = power - value;
    add_product(rest, power, r);
    add_product(rest, power, q);
  }

 private:
  /// The last bits of `shifted` are those of k.
  ASSAY_DETAIL_INLINE static void reduce(const Singles& x, Singles& shifted, Singles& k, Singles& r) {
    constexpr float integers = 0x1.8p23F;
    shifted = x * 0x1.715476p+5F + integers;
    k = shifted - integers;
    r = x;
    subtract_product(r, k, Singles{} + 0x1.62e43p-6F);
  }
  ASSAY_DETAIL_INLINE static void look_up_power(const PairPowers& table, const Singles& shifted, Singles& power) {
    Ints bits;
    look_up(table.power, Ints(shifted), bits);
    using Words =
        typename Vector<std::uint32_t, Bytes>::Type;  // whose sums may wrap, as those of what is no exponent do
    power = Singles(Words(bits) + (Words(shifted) << 18));
  }
  /// `negative` where the sign is set.
  template <class Words>
  ASSAY_DETAIL_INLINE static void choose(const Ints& sign, const Words& negative, Words& word) {
    const Ints mask = sign >> 31;
    word = Words((Ints(word) & ~mask) | (Ints(negative) & mask));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
