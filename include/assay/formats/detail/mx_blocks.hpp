#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/detail/vector_variants.hpp"
#include "assay/formats/detail/mx_words.hpp"

namespace assay::detail {

/// Encodes contiguous blocks, each as `MxBlock<Element>::encode` does, to the bit: in the calling thread, whose
/// floating-point environment is the default one, on vectors of `set`. 32·blocks values, one scale and
/// `MxBlock<Element>::code_bytes` of codes a block. No two of the arrays overlap.
template <Format Element>
void encode_mx_blocks(const float* from, std::uint8_t* scales, std::uint8_t* codes, std::size_t blocks, [[maybe_unused]] InstructionSet set = instruction_set()) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  run_variant<EncodeMxWords<Element>>(set, from, scales, codes, blocks);
#else
  for (std::size_t block = 0; block < blocks; ++block) MxBlock<Element>::encode(from + 32 * block, scales[block], codes + block * MxBlock<Element>::code_bytes);
#endif
}

/// Decodes contiguous blocks, each as `MxBlock<Element>::decode` does, to the bit; as `encode_mx_blocks` otherwise.
/// `streamed`: the results are too many to stay in a cache.
template <Format Element>
void decode_mx_blocks(const std::uint8_t* scales, const std::uint8_t* codes, float* to, std::size_t blocks, [[maybe_unused]] bool streamed = false,
                      [[maybe_unused]] InstructionSet set = instruction_set()) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  if (streamed && reinterpret_cast<std::uintptr_t>(to) % 32 == 0) {
    run_variant<DecodeMxWords<Element, true>>(set, scales, codes, to, blocks);
    finish_streaming();
  } else {
    run_variant<DecodeMxWords<Element, false>>(set, scales, codes, to, blocks);
  }
#else
  for (std::size_t block = 0; block < blocks; ++block) MxBlock<Element>::decode(scales[block], codes + block * MxBlock<Element>::code_bytes, to + 32 * block);
#endif
}

}  // namespace assay::detail
