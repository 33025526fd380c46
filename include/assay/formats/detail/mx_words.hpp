#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/detail/mx_block.hpp"
#include "assay/formats/detail/word_codes.hpp"
#include "assay/formats/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What both ways of MX blocks have in common: a block is one or two steps of four vectors; AVX-512 does with vectors
/// of 32 bytes.
template <Format Element, std::size_t VectorBytes>
struct MxWords {
  static constexpr std::size_t bytes = VectorBytes < 32 ? VectorBytes : 32;
  using Codes = WordCodes<FormatTraits<Element>::layout, bytes>;
  using Words = typename Codes::Words;
  using Signed = typename Codes::Signed;
  using Singles = typename Codes::Singles;
  using Halves = typename Vector<std::uint16_t, bytes>::Type;
  using Octets = typename Vector<std::uint8_t, bytes>::Type;
  static constexpr std::size_t step = WordMemory<1, bytes>::elements, steps = MxBlock<Element>::elements / step;

  /// Puts the largest lane, below 2^31, into all of them.
  ASSAY_DETAIL_INLINE static void spread_largest(Words& most) {
    Words swapped;
    if constexpr (bytes == 32) {
      swapped = __builtin_shufflevector(most, most, 4, 5, 6, 7, 0, 1, 2, 3);
      Codes::at_least(most, swapped);
      swapped = __builtin_shufflevector(most, most, 2, 3, 0, 1, 6, 7, 4, 5);
      Codes::at_least(most, swapped);
      swapped = __builtin_shufflevector(most, most, 1, 0, 3, 2, 5, 4, 7, 6);
    } else {
      swapped = __builtin_shufflevector(most, most, 2, 3, 0, 1);
      Codes::at_least(most, swapped);
      swapped = __builtin_shufflevector(most, most, 1, 0, 3, 2);
    }
    Codes::at_least(most, swapped);
  }
};

/// Body of an instruction set's variant: float32 to blocks, as `MxBlock::encode` has it. All largest magnitudes of a
/// batch are found before any of its elements is encoded: a block's codes wait for its largest magnitude, which takes
/// long to find.
template <Format Element, WordStores stores>
struct EncodeMxWords {
  static constexpr std::size_t batch = 16;
  using Block = MxBlock<Element>;
  static_assert(Block::max_exponent > 0 && FormatTraits<Element>::layout.specials != SpecialValues::fnuz,
                "no such element is in the specification");

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* const& values, std::uint8_t* const& scale_codes,
                                      std::uint8_t* const& element_codes, const std::size_t& count) {
    const float* const from = values;  // locals: no store changes them
    std::uint8_t* const scales = scale_codes;
    std::uint8_t* const codes = element_codes;
    const std::size_t blocks = count;
    const Constants<MxWords<Element, VectorBytes>> constants;
    for (std::size_t first = 0; first < blocks; first += batch) {
      const std::size_t length = blocks - first < batch ? blocks - first : batch;
      std::uint32_t largest[batch];
      for (std::size_t block = 0; block < length; ++block)
        find_largest<VectorBytes>(from + (first + block) * Block::elements, largest[block]);
      for (std::size_t block = 0; block < length; ++block) {
        const std::uint32_t scale = Block::scale_of(largest[block]);
        scales[first + block] = static_cast<std::uint8_t>(scale);
        std::uint8_t* const to = codes + (first + block) * Block::code_bytes;
        if (__builtin_expect(scale == Block::nan_scale, 0))
          __builtin_memset(to, 0, Block::code_bytes);
        else
          encode<VectorBytes>(from + (first + block) * Block::elements, scale, to, constants);
      }
    }
  }

 private:
  /// Vectors of equal bytes, which g++ makes anew in each turn of a loop unless it is kept from knowing what they are.
  template <class Mx>
  struct Constants {
    typename Mx::Octets excess = typename Mx::Octets{} + Mx::Codes::octet_excess;
    typename Mx::Octets largest = typename Mx::Octets{} + static_cast<std::uint8_t>(Mx::Codes::largest);
    typename Mx::Octets sign = typename Mx::Octets{} + static_cast<std::uint8_t>(Mx::Codes::sign);
    typename Mx::Halves nibble_weights = typename Mx::Halves{} + std::uint16_t{0x1001};

    ASSAY_DETAIL_INLINE Constants() {
#if defined(__x86_64__) && !defined(__clang__)
      asm("" : "+v"(excess), "+v"(largest), "+v"(sign), "+v"(nibble_weights));
#endif
    }
  };

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void find_largest(const float* from, std::uint32_t& largest) {
    using Mx = MxWords<Element, VectorBytes>;
    typename Mx::Words words[4], most{};
#pragma GCC unroll 2
    for (std::size_t step = 0; step < Mx::steps; ++step) {
      WordMemory<4, Mx::bytes>::load(reinterpret_cast<const unsigned char*>(from + step * Mx::step), words);
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) Mx::Codes::at_least(most, words[part] & Mx::Codes::magnitudes);
    }
    Mx::spread_largest(most);
    largest = most[0];
  }

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void encode(const float* from, std::uint32_t scale, std::uint8_t* to,
                                         const Constants<MxWords<Element, VectorBytes>>& constants) {
    using Mx = MxWords<Element, VectorBytes>;
    using Memory = WordMemory<1, Mx::bytes>;
    foresee<Block::elements * sizeof(float), 4096>(from);
    // |value| · factor < 2^(emax + 1): what becomes subnormal, inexactly, is far below the element's numbers
    const float factor = __builtin_bit_cast(float, (254 - scale) << 23);
#pragma GCC unroll 2
    for (std::size_t step = 0; step < Mx::steps; ++step) {
      typename Mx::Words words[4];
      typename Mx::Octets codes, signs;
      WordMemory<4, Mx::bytes>::load(reinterpret_cast<const unsigned char*>(from + step * Mx::step), words);
      Memory::signs_of(words, signs);
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) {
        words[part] = typename Mx::Words(typename Mx::Singles(words[part]) * factor);
        Mx::Codes::encode_octet(words[part]);
      }
      Memory::octets_of(words, codes);
      codes = codes - constants.excess;
      Memory::at_most(codes, constants.largest);
      codes = codes | (typename Mx::Octets(typename Mx::Halves(signs) >> (8 - FormatTraits<Element>::layout.bits())) &
                       constants.sign);
      if constexpr (Block::nibbles)
        Memory::template store_nibbles<stores>(codes, constants.nibble_weights, to + step * Mx::step / 2);
      else
        Memory::template store_octets<stores>(codes, to + step * Mx::step);
    }
  }
};

/// Body of an instruction set's variant: blocks to float32, as `MxBlock::decode` has it.
template <Format Element, WordStores stores>
struct DecodeMxWords {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const std::uint8_t* const& scale_codes, const std::uint8_t* const& element_codes,
                                      float* const& values, const std::size_t& count) {
    const std::uint8_t* const scales = scale_codes;  // locals: no store changes them
    const std::uint8_t* const codes = element_codes;
    float* const to = values;
    const std::size_t blocks = count;
    using Mx = MxWords<Element, VectorBytes>;
    using Block = MxBlock<Element>;
    using Words = typename Mx::Words;
    using Single = WordCodes<FormatTraits<float>::layout, Mx::bytes>;
    [[maybe_unused]] const std::uint32_t infinity = Single::binary32_infinity;
    for (std::size_t block = 0; block < blocks; ++block) {
      foresee<Block::code_bytes>(codes + block * Block::code_bytes);
      const float scale = Block::scale_value(scales[block]);
#pragma GCC unroll 2
      for (std::size_t step = 0; step < Mx::steps; ++step) {
        Words words[4];
        if constexpr (Block::nibbles)
          WordMemory<1, Mx::bytes>::load_nibbles(codes + block * Block::code_bytes + step * Mx::step / 2, words);
        else
          WordMemory<1, Mx::bytes>::load(codes + block * Block::code_bytes + step * Mx::step, words);
#pragma GCC unroll 4
        for (std::size_t part = 0; part < 4; ++part) {
          Mx::Codes::decode(words[part]);
          words[part] = Words(typename Mx::Singles(words[part]) * scale);
          if constexpr (Block::has_specials) Single::encode(words[part], infinity);  // one NaN for all
        }
        WordMemory<4, Mx::bytes>::template store<stores>(
            words, reinterpret_cast<unsigned char*>(to + block * Block::elements + step * Mx::step));
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
