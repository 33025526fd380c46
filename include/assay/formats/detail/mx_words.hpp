#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/detail/mx_block.hpp"
#include "assay/formats/detail/word_codes.hpp"
#include "assay/formats/detail/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What both ways of MX blocks have in common: a block is one or two steps of four vectors; AVX-512 does with vectors of 32 bytes.
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

/// Body of an instruction set's variant: float32 to blocks, as `MxBlock::encode` has it.
template <Format Element>
struct EncodeMxWords {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* const& values, std::uint8_t* const& scale_codes, std::uint8_t* const& element_codes, const std::size_t& count) {
    const float* const from = values;  // locals: no store changes them
    std::uint8_t* const scales = scale_codes;
    std::uint8_t* const codes = element_codes;
    const std::size_t blocks = count;
    using Mx = MxWords<Element, VectorBytes>;
    using Block = MxBlock<Element>;
    using Words = typename Mx::Words;
    for (std::size_t block = 0; block < blocks; ++block) {
      foresee<Block::elements * sizeof(float)>(from + block * Block::elements);
      Words words[Mx::steps][4], most{};
#pragma GCC unroll 2
      for (std::size_t step = 0; step < Mx::steps; ++step) {
        WordMemory<4, Mx::bytes>::load(reinterpret_cast<const unsigned char*>(from + block * Block::elements + step * Mx::step), words[step]);
#pragma GCC unroll 4
        for (std::size_t part = 0; part < 4; ++part) Mx::Codes::at_least(most, words[step][part] & Mx::Codes::magnitudes);
      }
      Mx::spread_largest(most);
      const std::uint32_t scale = Block::scale_of(most[0]);
      scales[block] = static_cast<std::uint8_t>(scale);
      std::uint8_t* const to = codes + block * Block::code_bytes;
      if (__builtin_expect(scale == Block::nan_scale, 0)) {
        __builtin_memset(to, 0, Block::code_bytes);
        continue;
      }
      // |value| · factor < 2^(emax + 1): what becomes subnormal, inexactly, is far below the element's numbers
      Words exponent = most & Mx::Codes::binary32_infinity;
      Mx::Codes::at_least(exponent, Words{} + (Block::max_exponent << 23));
      const typename Mx::Singles factor = typename Mx::Singles(((254 + Block::max_exponent) << 23) - exponent);
#pragma GCC unroll 2
      for (std::size_t step = 0; step < Mx::steps; ++step) {
#pragma GCC unroll 4
        for (std::size_t part = 0; part < 4; ++part) {
          words[step][part] = Words(typename Mx::Singles(words[step][part]) * factor);
          Mx::Codes::encode_saturating(words[step][part]);
        }
        if constexpr (Block::nibbles) WordMemory<1, Mx::bytes>::store_nibbles(words[step], to + step * Mx::step / 2);
        else WordMemory<1, Mx::bytes>::template store<false>(words[step], to + step * Mx::step);
      }
    }
  }
};

/// Body of an instruction set's variant: blocks to float32, as `MxBlock::decode` has it.
template <Format Element, bool streamed>
struct DecodeMxWords {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const std::uint8_t* const& scale_codes, const std::uint8_t* const& element_codes, float* const& values, const std::size_t& count) {
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
        if constexpr (Block::nibbles) WordMemory<1, Mx::bytes>::load_nibbles(codes + block * Block::code_bytes + step * Mx::step / 2, words);
        else WordMemory<1, Mx::bytes>::load(codes + block * Block::code_bytes + step * Mx::step, words);
#pragma GCC unroll 4
        for (std::size_t part = 0; part < 4; ++part) {
          Mx::Codes::decode(words[part]);
          words[part] = Words(typename Mx::Singles(words[part]) * scale);
          if constexpr (Block::has_specials) Single::encode(words[part], infinity);  // one NaN for all
        }
        WordMemory<4, Mx::bytes>::template store<streamed>(words, reinterpret_cast<unsigned char*>(to + block * Block::elements + step * Mx::step));
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
