#pragma once

#include <cstdint>
#include <type_traits>

#include "assay/formats/float_layout.hpp"

namespace assay::inline v0 {

/// A floating-point number of at most 32 bits, stored as its code in the lowest bits. It has no arithmetic: values are
/// decoded to double (exactly), computed there, and rounded back once.
template <FloatLayout Layout>
struct SmallFloat {
  static_assert(Layout.bits() <= 32 && Layout.exponent_bits <= 8, "wider formats are float32 and float64");
  static_assert(Layout.has_sign() || Layout.specials != SpecialValues::fnuz,
                "without a sign there is no pattern of negative zero to be the NaN");
  /// The smallest unsigned integer that holds a code.
  using Bits = std::conditional_t<(Layout.bits() <= 8), std::uint8_t,
                                  std::conditional_t<(Layout.bits() <= 16), std::uint16_t, std::uint32_t>>;

  Bits bits;

  SmallFloat() = default;
  /// Rounds to nearest, ties to even; overflow as IEEE 754 has it.
  ASSAY_FUNCTION explicit constexpr SmallFloat(double value) : bits(static_cast<Bits>(encode(Layout, value))) {}
  /// The value of the code: exact.
  ASSAY_FUNCTION explicit constexpr operator double() const { return decode(Layout, bits); }
  /// The number with that code. Precondition: bits above the code's are 0.
  ASSAY_FUNCTION static constexpr SmallFloat from_bits(Bits code) {
    SmallFloat value;
    value.bits = code;
    return value;
  }
};

/// IEEE 754's binary16.
using float16 = SmallFloat<FloatLayout{5, 10, 15, SpecialValues::ieee}>;
/// The upper half of a binary32: 8 exponent bits, 7 fraction bits.
using bfloat16 = SmallFloat<FloatLayout{8, 7, 127, SpecialValues::ieee}>;
/// IEEE 754's binary32 and binary64: the compiler's own.
using float32 = float;
using float64 = double;  ///< IEEE 754 binary64.

}  // namespace assay::inline v0
