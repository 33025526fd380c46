#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unrolling: the host compiler knows it
#endif

namespace assay::inline v0::detail {

/// How the tiles of a stress product lie in registers: `rows` × `columns` accumulators of three vectors a column.
struct TileShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Bytes of a vector of the instruction set.
[[nodiscard]] constexpr std::size_t vector_bytes(InstructionSet set) {
  return set == InstructionSet::avx512 ? 64 : set == InstructionSet::avx2 ? 32 : 16;
}

template <class T>
[[nodiscard]] constexpr TileShape tile_shape(InstructionSet set) {
  return {3 * vector_bytes(set) / sizeof(T), set == InstructionSet::avx512 ? std::size_t{8} : std::size_t{4}};
}

/// What becomes of a tile once it is computed.
enum class TileFate {
  checked,   ///< its signature is held against the golden one
  unchecked  ///< it is dropped, for the rate without checks
};

/// A product of small integers in tiles. Panels of A hold `rows` elements a step of k, panels of B `columns`.
/// `report(context, tile, values)` gets the accumulators of each tile whose signature is wrong, column by column.
template <class Format>
struct IntegerGemm {
  const typename Format::A* a = nullptr;
  const typename Format::B* b = nullptr;
  std::size_t row_tiles = 0, column_tiles = 0;
  std::size_t steps = 0;                      ///< K over the format's group
  const std::uint64_t* signatures = nullptr;  ///< a vector a tile
  std::size_t damaged_tile = SIZE_MAX;        ///< one bit of its first accumulator is flipped, for tests of the check
  int damaged_bit = 0;
  void* context = nullptr;
  void (*report)(void*, std::size_t, const typename Format::Sum*) = nullptr;
};

/// The signature of a tile: its accumulators as 64-bit words, rotated and XORed so that exchanged ones show, too.
template <std::size_t Bytes>
struct TileSignature {
  using Word = typename Vector<std::uint64_t, Bytes>::Type;

  static ASSAY_DETAIL_INLINE void add(Word& sum, const Word& bits) { sum = (sum << 1 | sum >> 63) ^ bits; }
  static ASSAY_DETAIL_INLINE void join(Word& sum, const Word& second, const Word& third) {
    sum ^= (second << 21 | second >> 43) ^ (third << 42 | third >> 22);
  }
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What is done with a tile's accumulators. Vectors go by reference: `second` and `third` are the next `lanes` rows.
template <class Format, TileFate Fate>
struct EndOfTile {
  template <std::size_t Bytes, class Type, std::size_t Columns>
  static ASSAY_DETAIL_INLINE void run(const IntegerGemm<Format>& work, std::size_t tile, Type (&first)[Columns],
                                      Type (&second)[Columns], Type (&third)[Columns]) {
    using Sum = typename Format::Sum;
    using Signature = TileSignature<Bytes>;
    using Word = typename Signature::Word;
    constexpr std::size_t lanes = Bytes / sizeof(Sum), rows = 3 * lanes;
    if (__builtin_expect(tile == work.damaged_tile, 0)) {
      Word bits;
      __builtin_memcpy(&bits, &first[0], Bytes);
      bits[0] ^= std::uint64_t{1} << work.damaged_bit;
      __builtin_memcpy(&first[0], &bits, Bytes);
    }
    if constexpr (Fate == TileFate::unchecked) {
#pragma GCC unroll 8
      for (std::size_t q = 0; q < Columns; ++q) {
#if defined(__x86_64__) && !defined(__clang__)  // which wants to know the processor before it is inlined
        asm volatile("" ::"x"(first[q]), "x"(second[q]), "x"(third[q]));
#else
        asm volatile("" ::"m"(first[q]), "m"(second[q]), "m"(third[q]));
#endif
      }
      return;
    }
    Word sum{}, sum2{}, sum3{};
#pragma GCC unroll 8
    for (std::size_t q = 0; q < Columns; ++q) {
      Signature::add(sum, (Word)first[q]);
      Signature::add(sum2, (Word)second[q]);
      Signature::add(sum3, (Word)third[q]);
    }
    Signature::join(sum, sum2, sum3);
    Word golden;
    __builtin_memcpy(&golden, work.signatures + tile * (Bytes / 8), Bytes);
    golden ^= sum;
    std::uint64_t wrong = golden[0];
#pragma GCC unroll 8
    for (std::size_t lane = 1; lane < Bytes / 8; ++lane) wrong |= golden[lane];
    if (__builtin_expect(wrong != 0, 0)) {
      Sum values[rows * Columns];
#pragma GCC unroll 8
      for (std::size_t q = 0; q < Columns; ++q) {
        __builtin_memcpy(values + q * rows, &first[q], Bytes);
        __builtin_memcpy(values + q * rows + lanes, &second[q], Bytes);
        __builtin_memcpy(values + q * rows + 2 * lanes, &third[q], Bytes);
      }
      work.report(work.context, tile, values);
    }
  }
};

template <class Format, TileFate Fate>
struct RunIntegerGemm {
  template <std::size_t Bytes>
  static ASSAY_DETAIL_INLINE void run(const IntegerGemm<Format>& work) {
    using T = typename Format::Sum;
    using Wide = Vector<T, Bytes>;
    using Type = typename Wide::Type;
    using Access = typename Wide::Unaligned;
    constexpr std::size_t lanes = Wide::lanes, columns = Bytes == 64 ? 8 : 4, rows = 3 * lanes;
    for (std::size_t tile = 0; tile < work.row_tiles * work.column_tiles; ++tile) {
      const T* a = work.a + tile % work.row_tiles * rows * work.steps;
      const T* b = work.b + tile / work.row_tiles * columns * work.steps;
      Type first[columns] = {}, second[columns] = {}, third[columns] = {};
      for (std::size_t k = 0; k < work.steps; ++k, a += rows, b += columns) {
        const Type a0 = *reinterpret_cast<const Access*>(a);
        const Type a1 = *reinterpret_cast<const Access*>(a + lanes);
        const Type a2 = *reinterpret_cast<const Access*>(a + 2 * lanes);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < columns; ++q) {
          first[q] += a0 * b[q];
          second[q] += a1 * b[q];
          third[q] += a2 * b[q];
        }
      }
      EndOfTile<Format, Fate>::template run<Bytes>(work, tile, first, second, third);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
