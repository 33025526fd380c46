#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/classify.hpp"
#include "assay/formats/detail/convert_words.hpp"

namespace assay::inline v0::detail {

/// Whether vectors convert these formats in that way, with the same result as the scalar path.
template <Format From, Format To>
constexpr bool words_convert([[maybe_unused]] Rounding rounding) {
  if constexpr (ASSAY_DETAIL_VECTOR_VARIANTS && WordFormat<From> && WordFormat<To>)
    return rounding == Rounding::nearest_even || holds_all_of(FormatTraits<To>::layout, FormatTraits<From>::layout);
  else
    return false;
}

/// One element after the other: what all other paths equal. The environment is the default one.
template <Format From, Format To>
ASSAY_FUNCTION void convert_each(const From* from, To* to, std::size_t count, Rounding rounding, Overflow overflow) {
  for (std::size_t i = 0; i < count; ++i) {
    const double value = decode(from[i]);
    if constexpr (std::is_same_v<To, float64>)
      to[i] = is_finite(value) ? value : encode<To>(value, rounding, overflow);
    else
      to[i] = encode<To>(value, rounding, overflow);
  }
}

/// By a table of what each code becomes: for formats of a byte, all of whose patterns have a value.
template <Format From, Format To>
void convert_by_table(const From* from, To* to, std::size_t count, Rounding rounding, Overflow overflow) {
  From codes[256];
  To table[256];
  for (unsigned code = 0; code < 256; ++code)
    codes[code] = FormatTraits<From>::from_bits(static_cast<typename FormatTraits<From>::Bits>(code));
  convert_each(codes, table, 256, rounding, overflow);
  for (std::size_t i = 0; i < count; ++i) to[i] = table[FormatTraits<From>::to_bits(from[i])];
}

/// Converts in the calling thread, whose environment is the default one, on vectors of `set` where they can. `streamed`
/// stores pass by the caches.
template <Format From, Format To>
void convert_range(const From* from, To* to, std::size_t count, Rounding rounding, Overflow overflow,
                   [[maybe_unused]] bool streamed, [[maybe_unused]] InstructionSet set) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  if constexpr (WordFormat<From> && WordFormat<To>) {
    if (words_convert<From, To>(rounding)) {
      const auto* const source = reinterpret_cast<const unsigned char*>(from);
      auto* const target = reinterpret_cast<unsigned char*>(to);
      const std::uint32_t beyond = WordCodes<FormatTraits<To>::layout, 16>::beyond(overflow);
      if (streamed) {
        run_variant<ConvertWords<From, To, true>>(set, source, target, count, beyond);
        finish_streaming();
      } else {
        run_variant<ConvertWords<From, To, false>>(set, source, target, count, beyond);
      }
      return;
    }
  }
#endif
  if constexpr (sizeof(From) == 1 && FloatFormat<From>)
    if (count >= 512) return convert_by_table(from, to, count, rounding, overflow);
  convert_each(from, to, count, rounding, overflow);
}

/// Outputs of that many bytes stay in no cache: their stores are streamed.
inline constexpr std::size_t streamed_bytes = std::size_t{32} << 20;

}  // namespace assay::inline v0::detail
