#pragma once

#include <cstddef>

#include "assay/core/vector_variants.hpp"

namespace assay::inline v0::detail {

/// Whether the floats at `found` lie between bounds: `low` has the place of the lowest in the order of all codes,
/// `span` how many places the highest is above it. NaN comes after all numbers. Any alignment.
template <class Word>
struct WithinBounds {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const char* const& found, const char* const& low, const char* const& span,
                                      const std::size_t& count, bool& right) {
    constexpr Word sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
    using Lanes = Vector<Word, Bytes>;
    using Type = typename Lanes::Type;
    Type outside = {};
    std::size_t at = 0;
    for (; at + Lanes::lanes <= count; at += Lanes::lanes) {
      const std::size_t byte = at * sizeof(Word);
      const Type code = *reinterpret_cast<const typename Lanes::Unaligned*>(found + byte);
      const Type negative = reinterpret_cast<Type>((code & sign) != 0);
      const Type order = (((code & static_cast<Word>(~sign)) ^ negative) - negative) + sign;
      const Type above = order - *reinterpret_cast<const typename Lanes::Unaligned*>(low + byte);
      outside |= reinterpret_cast<Type>(above > *reinterpret_cast<const typename Lanes::Unaligned*>(span + byte));
    }
    Word any = 0;
    for (std::size_t lane = 0; lane < Lanes::lanes; ++lane) any = static_cast<Word>(any | outside[lane]);
    for (; at < count; ++at) {
      Word code, lowest, width;
      __builtin_memcpy(&code, found + at * sizeof(Word), sizeof(Word));
      __builtin_memcpy(&lowest, low + at * sizeof(Word), sizeof(Word));
      __builtin_memcpy(&width, span + at * sizeof(Word), sizeof(Word));
      const auto magnitude = static_cast<Word>(code & static_cast<Word>(~sign));
      const auto order = static_cast<Word>((code & sign) != 0 ? sign - magnitude : sign + magnitude);
      any = static_cast<Word>(any | static_cast<Word>(static_cast<Word>(order - lowest) > width));
    }
    right = any == 0;
  }
};

}  // namespace assay::inline v0::detail
