#pragma once

#include <cstdint>

#include "assay/formats/integer_layout.hpp"

namespace assay::inline v0 {

/// An integer of at most 8 bits, stored as its code in the lowest bits of a byte: made with zeros above, read whatever
/// stands there. It has no arithmetic.
template <int BitCount, bool IsSigned>
struct SmallInteger {
  static_assert(BitCount >= 1 && BitCount <= 8, "wider integers are the compiler's own");
  using Bits = std::uint8_t;  ///< holds a code

  Bits bits;

  SmallInteger() = default;
  /// Rounds to nearest, ties to even; saturates.
  ASSAY_FUNCTION explicit constexpr SmallInteger(double value)
      : bits(static_cast<Bits>(encode(IntegerLayout{BitCount, IsSigned}, value))) {}
  /// The value of the code: exact.
  ASSAY_FUNCTION explicit constexpr operator double() const {
    return static_cast<double>(decode(IntegerLayout{BitCount, IsSigned}, bits));
  }
  /// The value of the code.
  ASSAY_FUNCTION explicit constexpr operator int() const {
    return static_cast<int>(decode(IntegerLayout{BitCount, IsSigned}, bits));
  }
  /// The integer with that code; bits above the code's are kept and not read.
  ASSAY_FUNCTION static constexpr SmallInteger from_bits(Bits code) {
    SmallInteger value;
    value.bits = code;
    return value;
  }
};

/// Signed integers of 4 bits: −8 to 7.
using int4_t = SmallInteger<4, true>;
/// Unsigned integers of 4 bits: 0 to 15.
using uint4_t = SmallInteger<4, false>;
/// Signed integers of 2 bits: −2 to 1.
using int2_t = SmallInteger<2, true>;
/// Unsigned integers of 2 bits: 0 to 3.
using uint2_t = SmallInteger<2, false>;

}  // namespace assay::inline v0
