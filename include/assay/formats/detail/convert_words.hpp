#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/detail/word_codes.hpp"
#include "assay/formats/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Body of an instruction set's variant: converts `elements` of them, rounded to nearest even, in a thread that does
/// so, too. `beyond_target` is `WordCodes::beyond` of the target.
template <WordFormat From, WordFormat To, bool streamed>
struct ConvertWords {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const unsigned char* const& source, unsigned char* const& target,
                                      const std::size_t& elements, const std::uint32_t& beyond_target) {
    const unsigned char* const from = source;  // locals: no store changes them
    unsigned char* const to = target;
    const std::size_t count = elements;
    const std::uint32_t beyond = beyond_target;
    constexpr std::size_t step = WordMemory<sizeof(To), Bytes>::elements;
    std::size_t at = 0;
    if constexpr (streamed) {
      at = (std::size_t{0} - reinterpret_cast<std::uintptr_t>(to)) % Bytes / sizeof(To);
      if (at > count) at = count;
      if (at > 0) part<Bytes>(from, to, at, beyond);
    }
    for (; at + step <= count; at += step) {
      foresee<WordMemory<sizeof(From), Bytes>::bytes>(from + at * sizeof(From));
      whole<Bytes, streamed>(from + at * sizeof(From), to + at * sizeof(To), beyond);
    }
    if (at < count) part<Bytes>(from + at * sizeof(From), to + at * sizeof(To), count - at, beyond);
  }

 private:
  template <std::size_t Bytes, bool pass_by_caches>
  ASSAY_DETAIL_INLINE static void whole(const unsigned char* from, unsigned char* to, const std::uint32_t& beyond) {
    typename Vector<std::uint32_t, Bytes>::Type words[4];
    WordMemory<sizeof(From), Bytes>::load(from, words);
#pragma GCC unroll 4
    for (std::size_t part = 0; part < 4; ++part) {
      if constexpr (sizeof(From) != 4 || sizeof(To) != 4)
        WordCodes<FormatTraits<From>::layout, Bytes>::decode(words[part]);
      WordCodes<FormatTraits<To>::layout, Bytes>::encode(words[part], beyond);
    }
    WordMemory<sizeof(To), Bytes>::template store<pass_by_caches ? WordStores::streamed : WordStores::cached>(words,
                                                                                                              to);
  }

  /// Fewer elements than a step has.
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void part(const unsigned char* from, unsigned char* to, std::size_t count,
                                       const std::uint32_t& beyond) {
    unsigned char source[WordMemory<sizeof(From), Bytes>::bytes] = {}, target[WordMemory<sizeof(To), Bytes>::bytes];
    __builtin_memcpy(source, from, count * sizeof(From));
    whole<Bytes, false>(source, target, beyond);
    __builtin_memcpy(to, target, count * sizeof(To));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
