#pragma once

#include <cstdint>

#include "assay/formats/float_layout.hpp"

namespace assay::inline v0 {

/// Integers of 1 to 32 bits, two's complement where they are signed.
struct IntegerLayout {
  int bits = 8;
  bool is_signed = true;  ///< false: no negative numbers

  /// The bits that a code takes.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
  /// The smallest integer.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::int64_t lowest() const {
    return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  }
  /// The largest integer.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::int64_t highest() const {
    return (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  }

  friend constexpr bool operator==(const IntegerLayout&, const IntegerLayout&) = default;
};

/// The integer of a code, sign-extended from its lowest `bits` bits; what stands above them is ignored.
[[nodiscard]] ASSAY_FUNCTION constexpr std::int64_t decode(IntegerLayout layout, std::uint64_t code) {
  const auto integer = static_cast<std::int64_t>(code & layout.mask());
  return integer > layout.highest() ? integer - static_cast<std::int64_t>(layout.mask()) - 1 : integer;
}

namespace detail {
template <class Away>
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode_by(IntegerLayout layout, double value, Away away) {
  const std::uint64_t source = bits_of(value);
  const bool negative = (source >> 63) != 0;
  const std::uint64_t magnitude = source & binary64_layout.magnitude_mask();
  if (magnitude > binary64_layout.infinity_bits() || magnitude == 0) return 0;
  const std::int64_t last = negative ? layout.lowest() : layout.highest();
  const Significand significand = significand_of(magnitude);
  if (significand.scale >= 0) return static_cast<std::uint64_t>(last) & layout.mask();
  const auto units = static_cast<std::int64_t>(rounded_units(significand, 0, away));
  const std::int64_t integer = negative ? -units : units;
  return static_cast<std::uint64_t>(negative ? (integer < last ? last : integer) : (integer > last ? last : integer)) &
         layout.mask();
}
}  // namespace detail

/// The code of `value`, rounded once to an integer, in the lowest bits; those above are 0. What lies outside the range
/// becomes its end, under either `Overflow`: integers have neither infinity nor NaN that `ieee` could give, and
/// wrapping is no rounding. NaN becomes 0, as in the conversions of PTX, Arm and WebAssembly that saturate. O(1), no
/// floating-point operation.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode(IntegerLayout layout, double value,
                                                            Rounding rounding = Rounding::nearest_even,
                                                            Overflow = Overflow::ieee) {
  const bool negative = (detail::bits_of(value) >> 63) != 0;
  return detail::encode_by(layout, value, detail::AwayByMode{rounding, negative});
}

}  // namespace assay::inline v0
