#pragma once

#include <cstdint>

#include "assay/formats/format_traits.hpp"
#include "assay/formats/lookup_table.hpp"

namespace assay::inline v0 {

/// A number of a lookup table, stored as its code in the lowest bits of a byte. It has no arithmetic. `Source` is a
/// class whose static constexpr `table()` returns a `LookupTable`: a new format is such a class and an alias.
template <class Source>
struct LookupCode {
  using Bits = std::uint8_t;  ///< holds a code

  Bits bits;

  LookupCode() = default;
  /// The nearest value; see `encode` of `LookupTable`.
  ASSAY_FUNCTION explicit constexpr LookupCode(double value)
      : bits(encoded(value, Rounding::nearest_even, Overflow::ieee)) {}
  /// The value of the code: exact.
  ASSAY_FUNCTION explicit constexpr operator double() const {
    constexpr auto table = Source::table();
    return decode(table, bits);
  }
  /// The number with that code. Precondition: bits above the code's are 0.
  ASSAY_FUNCTION static constexpr LookupCode from_bits(Bits code) {
    LookupCode value;
    value.bits = code;
    return value;
  }

 private:
  friend FormatTraits<LookupCode>;
  ASSAY_FUNCTION static constexpr Bits encoded(double value, Rounding rounding, Overflow overflow) {
    constexpr auto table = Source::table();
    return static_cast<Bits>(encode(table, value, rounding, overflow));
  }
};

template <class Source>
struct FormatTraits<LookupCode<Source>> {
  using Bits = std::uint8_t;
  static constexpr auto table = Source::table();  ///< the values, from `Source`
  static constexpr int bits = table.bits;

  static constexpr const char* name() { return table.name; }
  ASSAY_FUNCTION static constexpr Bits to_bits(LookupCode<Source> value) { return value.bits; }
  ASSAY_FUNCTION static constexpr LookupCode<Source> from_bits(Bits code) {
    return LookupCode<Source>::from_bits(code);
  }
  ASSAY_FUNCTION static constexpr double decode(LookupCode<Source> value) { return static_cast<double>(value); }
  ASSAY_FUNCTION static constexpr LookupCode<Source> encode(double value, Rounding rounding = Rounding::nearest_even,
                                                            Overflow overflow = Overflow::ieee) {
    return from_bits(LookupCode<Source>::encoded(value, rounding, overflow));
  }
};

/// A format by a table of its values.
template <class T>
concept LookupFormat = Format<T> && requires {
  FormatTraits<T>::table;
};

}  // namespace assay::inline v0
