#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/detail/mx_words.hpp"

namespace assay::inline v0::detail {

/// Encodes contiguous blocks, each as `MxBlock<Element>::encode` does, to the bit: in the calling thread, whose
/// floating-point environment is the default one, on vectors of `set`. 32·blocks values, one scale and
/// `MxBlock<Element>::code_bytes` of codes a block. No two of the arrays overlap. `streamed`: the codes are too many to
/// stay in a cache.
template <Format Element>
void encode_mx_blocks(const float* from, std::uint8_t* scales, std::uint8_t* codes, std::size_t blocks,
                      [[maybe_unused]] bool streamed = false, [[maybe_unused]] InstructionSet set = instruction_set()) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  switch (stores_to(codes, streamed)) {
    case WordStores::cached:
      return run_variant<EncodeMxWords<Element, WordStores::cached>>(set, from, scales, codes, blocks);
    case WordStores::streamed:
      run_variant<EncodeMxWords<Element, WordStores::streamed>>(set, from, scales, codes, blocks);
      break;
    case WordStores::streamed_by_16:
      run_variant<EncodeMxWords<Element, WordStores::streamed_by_16>>(set, from, scales, codes, blocks);
      break;
  }
  finish_streaming();
#else
  for (std::size_t block = 0; block < blocks; ++block)
    MxBlock<Element>::encode(from + 32 * block, scales[block], codes + block * MxBlock<Element>::code_bytes);
#endif
}

/// Decodes contiguous blocks, each as `MxBlock<Element>::decode` does, to the bit; as `encode_mx_blocks` otherwise.
/// `streamed`: the results are too many to stay in a cache.
template <Format Element>
void decode_mx_blocks(const std::uint8_t* scales, const std::uint8_t* codes, float* to, std::size_t blocks,
                      [[maybe_unused]] bool streamed = false, [[maybe_unused]] InstructionSet set = instruction_set()) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  switch (stores_to(to, streamed)) {
    case WordStores::cached:
      return run_variant<DecodeMxWords<Element, WordStores::cached>>(set, scales, codes, to, blocks);
    case WordStores::streamed:
      run_variant<DecodeMxWords<Element, WordStores::streamed>>(set, scales, codes, to, blocks);
      break;
    case WordStores::streamed_by_16:
      run_variant<DecodeMxWords<Element, WordStores::streamed_by_16>>(set, scales, codes, to, blocks);
      break;
  }
  finish_streaming();
#else
  for (std::size_t block = 0; block < blocks; ++block)
    MxBlock<Element>::decode(scales[block], codes + block * MxBlock<Element>::code_bytes, to + 32 * block);
#endif
}

}  // namespace assay::inline v0::detail
