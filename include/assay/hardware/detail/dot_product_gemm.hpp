#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "assay/core/instruction_set.hpp"
#include "assay/hardware/detail/integer_gemm.hpp"
#include "assay/hardware/detail/stress_format.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && ASSAY_DETAIL_VECTOR_VARIANTS && !defined(__NVCC__)
#define ASSAY_DETAIL_DOT_PRODUCTS 1
#include <immintrin.h>
#else
#define ASSAY_DETAIL_DOT_PRODUCTS 0
#endif

namespace assay::inline v0::detail {

/// What this processor lacks for products in `Format`, as it ends a sentence; empty: nothing.
template <class Format>
[[nodiscard]] std::string_view lacks_for_stress([[maybe_unused]] InstructionSet set) {
  if constexpr (Format::group == 1) return {};
#if ASSAY_DETAIL_DOT_PRODUCTS
  __builtin_cpu_init();
  const bool bytes = std::is_same_v<Format, ByteQuadruples>;
  const bool there = bytes ? __builtin_cpu_supports("avx512vnni") : __builtin_cpu_supports("avx512bf16");
  if (set == InstructionSet::avx512 && there) return {};
  return bytes ? "this processor has no AVX-512 VNNI" : "this processor has no AVX-512 BF16";
#else
  return "this program was built without instructions for dot products";
#endif
}

#if ASSAY_DETAIL_DOT_PRODUCTS
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The product by instructions that multiply `Format::group` neighbors in k and add them to one sum.
template <class Format, TileFate Fate>
__attribute__((noinline, target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx512vnni"))) void run_dot_product_gemm(
    const IntegerGemm<Format>& work) {
  using Sum = typename Format::Sum;
  using Type = typename Vector<Sum, 64>::Type;
  constexpr std::size_t lanes = 16, columns = 8, rows = 3 * lanes;
  const std::size_t row_bytes = rows * 4 * work.steps, column_bytes = columns * 4 * work.steps;
  for (std::size_t tile = 0; tile < work.row_tiles * work.column_tiles; ++tile) {
    const char* a = reinterpret_cast<const char*>(work.a) + tile % work.row_tiles * row_bytes;
    const char* b = reinterpret_cast<const char*>(work.b) + tile / work.row_tiles * column_bytes;
    Type first[columns] = {}, second[columns] = {}, third[columns] = {};
    for (std::size_t k = 0; k < work.steps; ++k, a += rows * 4, b += columns * 4) {
      const __m512i a0 = _mm512_loadu_si512(a), a1 = _mm512_loadu_si512(a + 64), a2 = _mm512_loadu_si512(a + 128);
#pragma GCC unroll 8
      for (std::size_t q = 0; q < columns; ++q) {
        int word;
        std::memcpy(&word, b + 4 * q, 4);
        const __m512i group = _mm512_set1_epi32(word);
        if constexpr (std::is_same_v<Format, ByteQuadruples>) {
          first[q] = (Type)_mm512_dpbusd_epi32((__m512i)first[q], a0, group);
          second[q] = (Type)_mm512_dpbusd_epi32((__m512i)second[q], a1, group);
          third[q] = (Type)_mm512_dpbusd_epi32((__m512i)third[q], a2, group);
        } else {
          first[q] = (Type)_mm512_dpbf16_ps((__m512)first[q], (__m512bh)a0, (__m512bh)group);
          second[q] = (Type)_mm512_dpbf16_ps((__m512)second[q], (__m512bh)a1, (__m512bh)group);
          third[q] = (Type)_mm512_dpbf16_ps((__m512)third[q], (__m512bh)a2, (__m512bh)group);
        }
      }
    }
    EndOfTile<Format, Fate>::template run<64>(work, tile, first, second, third);
  }
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
#endif

/// Computes the product in any format with every instruction that it has: nothing is carried over from the call before.
/// The processor lacks nothing for it.
template <TileFate Fate, class Format>
void run_stress_product([[maybe_unused]] InstructionSet set, const IntegerGemm<Format>& work) {
  asm volatile("" ::: "memory");
  const IntegerGemm<Format>* opaque = &work;
  asm volatile("" : "+r"(opaque)::"memory");
#if ASSAY_DETAIL_DOT_PRODUCTS
  if constexpr (Format::group > 1) run_dot_product_gemm<Format, Fate>(*opaque);
#endif
  if constexpr (Format::group == 1) run_variant<RunIntegerGemm<Format, Fate>>(set, *opaque);
  asm volatile("" ::: "memory");
}

}  // namespace assay::inline v0::detail
