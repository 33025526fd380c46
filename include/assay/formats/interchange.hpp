#pragma once

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

/// Facts about another library's number type that stores the same codes as our format `Ours`: a base of its
/// `FormatTraits`. Tensors of that type are filled, compared and encoded as they are; nothing is converted.
template <class Foreign, FloatFormat Ours>
struct InterchangeTraits {
  static_assert(sizeof(Foreign) == sizeof(Ours), "a type that stores the same codes has the same size");
  static_assert(std::is_trivially_copyable_v<Foreign>, "codes are exchanged by copying bits");
  using Traits = FormatTraits<Ours>;  ///< of our format with the same codes
  using Bits = typename Traits::Bits;
  static constexpr FloatLayout layout = Traits::layout;
  static constexpr int bits = Traits::bits;

  ASSAY_FUNCTION static constexpr const char* name() { return Traits::name(); }
  ASSAY_FUNCTION static constexpr Bits to_bits(Foreign value) { return __builtin_bit_cast(Bits, value); }
  ASSAY_FUNCTION static constexpr Foreign from_bits(Bits code) { return __builtin_bit_cast(Foreign, code); }
  ASSAY_FUNCTION static constexpr double decode(Foreign value) {
    return Traits::decode(Traits::from_bits(to_bits(value)));
  }
  ASSAY_FUNCTION static constexpr Foreign encode(double value, Rounding rounding = Rounding::nearest_even,
                                                 Overflow overflow = Overflow::ieee) {
    return from_bits(Traits::to_bits(Traits::encode(value, rounding, overflow)));
  }
};

/// Two types that store the same codes of one format, such as `float16` and `_Float16`.
template <class A, class B>
concept SameCodes = FloatFormat<A> && FloatFormat<B> && sizeof(A) == sizeof(B) && FormatTraits<A>::layout
                                                                                      == FormatTraits<B>::layout;

/// The same code as a value of another type of the same format: a copy of bits, NaNs included, that costs nothing.
template <FloatFormat To, FloatFormat From>
requires SameCodes<To, From>
[[nodiscard]] ASSAY_FUNCTION constexpr To same_code(From value) {
  return FormatTraits<To>::from_bits(FormatTraits<From>::to_bits(value));
}

}  // namespace assay::inline v0
