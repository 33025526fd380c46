#pragma once

#include <bit>
#include <cstdint>

#include "assay/formats/limits.hpp"

namespace assay::inline v0::detail {

__extension__ typedef unsigned __int128 WideBits;
__extension__ typedef __int128 WideSum;

[[nodiscard]] constexpr int bit_width_of(WideBits bits) {
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bits)));
}

/// ±magnitude · 2^scale, exact: a product of two doubles, or a double. Zero has magnitude 0.
struct ExactTerm {
  WideBits magnitude = 0;
  int scale = 0;
  int exponent = 0;  ///< by which it is aligned: of its leading bit, or of its factors
  bool negative = false;

  [[nodiscard]] static constexpr ExactTerm of(double value) {
    ExactTerm term;
    const std::uint64_t bits = bits_of(value) & binary64_layout.magnitude_mask();
    term.negative = (bits_of(value) >> 63) != 0;
    if (bits == 0) return term;
    const Significand significand = significand_of(bits);
    term.magnitude = significand.bits;
    term.scale = significand.scale;
    term.exponent = significand.scale + 52;
    return term;
  }

  /// `by_factors`: aligned by the sum of the factors' exponents, as units do that do not normalize products first.
  [[nodiscard]] static constexpr ExactTerm product(double left, double right, bool by_factors) {
    const ExactTerm a = of(left), b = of(right);
    ExactTerm term;
    term.negative = a.negative != b.negative;
    if (a.magnitude == 0 || b.magnitude == 0) return term;
    term.magnitude = a.magnitude * b.magnitude;
    term.scale = a.scale + b.scale;
    term.exponent = by_factors ? a.exponent + b.exponent : term.scale + bit_width_of(term.magnitude) - 1;
    return term;
  }
};

/// What is left of a magnitude, and what was cut off: in units of 2^−64 of the lowest bit left, itself sticky.
struct Shortened {
  WideBits kept;
  std::uint64_t discarded;
};

/// Cuts the lowest `dropped` bits off; below 0 adds bits.
[[nodiscard]] constexpr Shortened shortened(WideBits magnitude, int dropped) {
  if (dropped <= 0) return {magnitude << -dropped, 0};
  const WideBits rest = dropped < 128 ? magnitude << (128 - dropped) : dropped == 128 ? magnitude : 1;
  return {dropped < 128 ? magnitude >> dropped : 0,
          static_cast<std::uint64_t>(rest >> 64) | (static_cast<std::uint64_t>(rest) != 0 ? 1U : 0U)};
}

/// ±magnitude · 2^scale rounded once to a layout, as a double, which holds its every value. What is still beyond the
/// largest number after rounding is infinite, as units do it, whatever the direction; or the largest, where `overflow`
/// says so.
[[nodiscard]] constexpr double rounded(FloatLayout layout, bool negative, WideBits magnitude, int scale,
                                       Rounding rounding, Overflow overflow) {
  if (magnitude == 0) return negative ? -0.0 : 0.0;
  const int exponent = scale + bit_width_of(magnitude) - 1;
  const int quantum = (exponent > layout.min_exponent() ? exponent : layout.min_exponent()) - layout.fraction_bits;
  auto [kept, discarded] = shortened(magnitude, quantum - scale);
  if (rounds_away(rounding, negative, static_cast<std::uint64_t>(kept), discarded)) ++kept;
  const double units = static_cast<double>(static_cast<std::uint64_t>(kept));
  const double largest = decode(layout, layout.max_finite_bits());
  if (exponent > binary64_layout.bias ||
      units > largest * power_of_two(-quantum / 2) * power_of_two(-quantum + quantum / 2))
    return decode(layout, overflowed(layout, negative, Rounding::nearest_even, overflow));
  const double size = units * power_of_two(quantum / 2) * power_of_two(quantum - quantum / 2);
  return negative ? -size : size;
}

/// How an adder works.
struct ExactAdder {
  FloatLayout result;
  Rounding rounding = Rounding::nearest_even;
  Overflow overflow = Overflow::ieee;
  /// fraction bits, counted from the largest exponent, to which operands are cut before they are added; −1: all
  int aligned_bits = -1;
  Rounding alignment = Rounding::toward_zero;  ///< how they are cut

  /// The sum of finite terms, rounded once. Where nothing is cut, two terms of any size; of more, within 2^118 of each
  /// other, or 2^125 over their number where there are more than 128.
  template <class Terms>
  [[nodiscard]] constexpr double operator()(const Terms& terms) const {
    const int carries = bit_width_of(terms.size()),
              window = carries > 8 ? 125 - carries : 118;  // the sum has 127 bits at most
    int largest = -100000;
    bool all_negative = true;
    for (const ExactTerm& term : terms) {
      if (term.magnitude != 0 && term.exponent > largest) largest = term.exponent;
      all_negative = all_negative && term.negative;
    }
    if (largest == -100000) return all_negative ? -0.0 : 0.0;
    const int quantum = aligned_bits >= 0 ? largest - aligned_bits : largest - window;
    WideSum sum = 0;
    for (const ExactTerm& term : terms) {
      if (term.magnitude == 0) continue;
      auto [units, discarded] = shortened(term.magnitude, quantum - term.scale);
      if (aligned_bits < 0)
        units |= discarded != 0 ? 1U : 0U;
      else if (rounds_away(alignment, term.negative, static_cast<std::uint64_t>(units), discarded))
        ++units;
      sum += term.negative ? -static_cast<WideSum>(units) : static_cast<WideSum>(units);
    }
    if (sum == 0) return rounding == Rounding::toward_negative ? -0.0 : 0.0;
    const bool negative = sum < 0;
    return rounded(result, negative, static_cast<WideBits>(negative ? -sum : sum), quantum, rounding, overflow);
  }
};

}  // namespace assay::inline v0::detail
