#pragma once

#include <cstdint>

#include "assay/formats/format_traits.hpp"
#include "assay/formats/limits.hpp"
#include "assay/formats/lookup_table.hpp"

namespace assay::inline v0 {

/// What the codes of a `CodeFormat` are.
enum class CodeKind {
  floating_point,  ///< by a `FloatLayout`; exponents of two (e8m0fnu) are among them
  integer,         ///< an integer, counted from a zero point where there is one, times a power of two
  table            ///< a position in a table of ascending values
};

/// A number format of at most 32 bits that is chosen at run time. Formats that are types (`Format`) make kernels; this
/// makes descriptions of block scaling, in which a vendor's variant is data. A code stands in the lowest bits of its
/// integer.
struct CodeFormat {
  const char* name = "";  ///< of static storage; not read on devices
  CodeKind kind = CodeKind::floating_point;
  int bits = 0;
  FloatLayout layout;        ///< floating_point
  bool is_signed = true;     ///< integer: two's complement
  int lowest = 0;            ///< integer: the smallest code that encoding gives, as an integer
  int highest = 0;           ///< integer: the largest
  int quantum_exponent = 0;  ///< integer: the value of code n without a zero point is n·2^quantum_exponent
  double values[16] = {};    ///< table: 2^bits values, ascending

  /// The bits that a code takes.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t code_mask() const {
    return bits >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
  }
  /// Bytes that an element takes where elements are not packed.
  [[nodiscard]] ASSAY_FUNCTION constexpr int bytes() const { return (bits + 7) / 8; }
  /// Whether a code stands for NaN; integers and tables have none.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_nan() const {
    return kind == CodeKind::floating_point && layout.has_nan();
  }
  /// Whether a code stands for an infinity; integers and tables have none.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_infinity() const {
    return kind == CodeKind::floating_point && layout.has_infinity();
  }
  /// A code of NaN. Precondition: `has_nan()`.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t nan_code() const {
    return static_cast<std::uint32_t>(layout.nan_bits());
  }
  /// Whether zero has two codes.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_negative_zero() const {
    return kind == CodeKind::floating_point && layout.has_sign() && layout.specials != SpecialValues::fnuz;
  }
  /// Whether all values are powers of two.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool holds_only_powers_of_two() const {
    return kind == CodeKind::floating_point && layout.fraction_bits == 0 && layout.domain == Domain::positive;
  }

  /// An integer code as an integer, its sign extended.
  [[nodiscard]] ASSAY_FUNCTION constexpr int integer_of(std::uint32_t code) const {
    const std::uint32_t own = code & code_mask();
    const bool negative = is_signed && (own >> (bits - 1)) != 0;
    return static_cast<int>(own) - (negative ? static_cast<int>(code_mask()) + 1 : 0);
  }

  /// The value of a code: exact. `zero_point` is the integer that stands for 0; integers only.
  [[nodiscard]] ASSAY_FUNCTION constexpr double decode(std::uint32_t code, int zero_point = 0) const {
    const std::uint32_t own = code & code_mask();
    switch (kind) {
      case CodeKind::floating_point: return assay::decode(layout, own);
      case CodeKind::integer: return static_cast<double>(integer_of(own) - zero_point) * power_of_two(quantum_exponent);
      case CodeKind::table: return values[own & 15];
    }
    return 0;
  }

  /// The code of the nearest value; beyond the largest value, that value. Of two values as near, the even code is
  /// chosen, in tables the smaller one. With a zero point the quotient is rounded first and the zero point added after
  /// (as ONNX's QuantizeLinear does). NaN becomes NaN where there is one; else 0, or the largest floating-point number.
  /// Tables are as `encode` of `LookupTable` has them: what is nearest to 0 for NaN, distances compared exactly. O(1),
  /// in tables O(2^bits).
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t encode(double value, int zero_point = 0) const {
    switch (kind) {
      case CodeKind::floating_point:
        return static_cast<std::uint32_t>(assay::encode(layout, value, Rounding::nearest_even, Overflow::saturate));
      case CodeKind::integer:
        return static_cast<std::uint32_t>(
                   clamped(nearest_integer(value * power_of_two(-quantum_exponent)) + zero_point)) &
               code_mask();
      case CodeKind::table:
        return static_cast<std::uint32_t>(
            detail::position_in_table(values, static_cast<int>(code_mask()) + 1, value, Rounding::nearest_even));
    }
    return 0;
  }

  /// The largest value that encoding gives.
  [[nodiscard]] ASSAY_FUNCTION constexpr double max_value() const {
    switch (kind) {
      case CodeKind::floating_point: return assay::decode(layout, layout.max_finite_bits());
      case CodeKind::integer: return static_cast<double>(highest) * power_of_two(quantum_exponent);
      case CodeKind::table: return values[code_mask() & 15];
    }
    return 0;
  }
  /// emax of the MX specification: the exponent of the largest power of two among the values.
  [[nodiscard]] ASSAY_FUNCTION constexpr int max_exponent() const { return exponent_of(max_value()); }
  /// Bits behind the leading one of the largest values.
  [[nodiscard]] ASSAY_FUNCTION constexpr int fraction_bits() const {
    return kind == CodeKind::floating_point ? layout.fraction_bits
           : kind == CodeKind::integer      ? max_exponent() - quantum_exponent
                                            : 0;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION constexpr int clamped(int integer) const {
    return integer < lowest ? lowest : integer > highest ? highest : integer;
  }

  /// Ties to even; what lies beyond 2^16 is cut to it, far from any range; NaN gives 0.
  [[nodiscard]] ASSAY_FUNCTION static constexpr int nearest_integer(double value) {
    if (is_nan(value)) return 0;
    if (value > 65536) return 65536;
    if (value < -65536) return -65536;
    int below = static_cast<int>(value);
    if (static_cast<double>(below) > value) --below;
    const double rest = value - static_cast<double>(below);
    return below + (rest > 0.5 || (rest == 0.5 && below % 2 != 0) ? 1 : 0);
  }
};

/// The description of a floating-point type.
template <Format T>
[[nodiscard]] constexpr CodeFormat code_format() {
  CodeFormat format;
  format.name = FormatTraits<T>::name();
  format.kind = CodeKind::floating_point;
  format.layout = FormatTraits<T>::layout;
  format.bits = format.layout.bits();
  return format;
}

/// Integers of `bits` ≤ 8 bits of which encoding gives [lowest, highest], times 2^quantum_exponent.
[[nodiscard]] constexpr CodeFormat integer_code_format(const char* name, int bits, bool is_signed, int lowest,
                                                       int highest, int quantum_exponent = 0) {
  CodeFormat format;
  format.name = name;
  format.kind = CodeKind::integer;
  format.bits = bits;
  format.is_signed = is_signed;
  format.lowest = lowest;
  format.highest = highest;
  format.quantum_exponent = quantum_exponent;
  return format;
}

/// A table whose values ascend; `name` is of static storage.
template <int Bits>
[[nodiscard]] constexpr CodeFormat table_code_format(const char* name, const LookupTable<Bits>& table) {
  static_assert(Bits <= 4, "descriptions hold tables of at most 16 values");
  CodeFormat format;
  format.name = name;
  format.kind = CodeKind::table;
  format.bits = Bits;
  for (int code = 0; code < LookupTable<Bits>::size; ++code) format.values[code] = table.values[code];
  return format;
}

}  // namespace assay::inline v0
