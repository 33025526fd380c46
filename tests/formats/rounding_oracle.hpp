#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/formats/float_layout.hpp"

namespace assay::testing {

inline constexpr std::array<Rounding, 5> all_roundings{Rounding::nearest_even, Rounding::nearest_away,
                                                       Rounding::toward_zero, Rounding::toward_positive,
                                                       Rounding::toward_negative};

/// A format of at most 16 bits as the table of its non-negative finite values, made from their definition, and rounding
/// by search in it: slow, and with nothing in common with the code under test.
class RoundingOracle {
 public:
  explicit RoundingOracle(FloatLayout layout)
      : layout_(layout),
        sign_(layout.domain == Domain::real ? 1u << (layout.exponent_bits + layout.fraction_bits) : 0u) {
    const std::uint32_t exponents = 1u << layout.exponent_bits, fractions = 1u << layout.fraction_bits;
    for (std::uint32_t exponent = 0; exponent < exponents; ++exponent)
      for (std::uint32_t fraction = 0; fraction < fractions; ++fraction) {
        const bool last_exponent = exponent == exponents - 1, last_fraction = fraction == fractions - 1;
        if (layout.specials == SpecialValues::ieee && last_exponent) continue;
        if (layout.specials == SpecialValues::finite_nan && last_exponent && last_fraction) continue;
        const double part = static_cast<double>(fraction) / fractions;
        values_.push_back(exponent == 0 && layout.domain != Domain::positive
                              ? std::ldexp(part, 1 - layout.bias)
                              : std::ldexp(1 + part, static_cast<int>(exponent) - layout.bias));
      }
  }

  /// Codes of this format: all of them.
  [[nodiscard]] std::uint32_t codes() const {
    return (layout_.domain == Domain::real ? 2u : 1u) << (layout_.exponent_bits + layout_.fraction_bits);
  }
  /// Finite values ≥ 0; the index of each is its code.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  /// What would come after the largest value, if the format went on.
  [[nodiscard]] double beyond() const {
    return layout_.fraction_bits == 0 ? 2 * values_.back() : 2 * values_.back() - values_[values_.size() - 2];
  }
  [[nodiscard]] std::uint32_t sign() const { return sign_; }

  [[nodiscard]] std::uint64_t round(double value, Rounding rounding, Overflow overflow = Overflow::ieee) const {
    const bool negative = std::signbit(value);
    const double magnitude = std::abs(value);
    const std::size_t count = values_.size();
    const std::uint64_t nan = layout_.specials == SpecialValues::fnuz   ? sign_
                              : layout_.specials == SpecialValues::ieee ? count + (1u << (layout_.fraction_bits - 1))
                                                                        : count;
    if (layout_.domain == Domain::positive) {
      if (std::signbit(value) || value == 0) return overflow == Overflow::ieee ? nan : 0;
      if (value <= values_[0]) return 0;
    }
    // code of the largest value ≤ magnitude; the format is thought to go on for one more value
    const std::size_t below =
        static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), magnitude) - values_.begin()) - 1;
    const double low = values_[below], high = below + 1 < count ? values_[below + 1] : beyond();
    std::size_t code = below;
    if (magnitude >= beyond()) {
      code = count;
    } else if (magnitude != low) {
      const double middle = low + (high - low) / 2;
      const bool up = rounding == Rounding::toward_zero       ? false
                      : rounding == Rounding::toward_positive ? !negative
                      : rounding == Rounding::toward_negative ? negative
                      : magnitude != middle                   ? magnitude > middle
                      : rounding == Rounding::nearest_away    ? true
                      : layout_.fraction_bits == 0            ? low > 0  // the one bit of every significand is odd
                                                              : below % 2 == 1;
      code = below + (up ? 1 : 0);
    }
    if (layout_.domain == Domain::non_negative && negative && code > 0) {
      const bool upwards =
          !std::isinf(value) && (rounding == Rounding::toward_zero || rounding == Rounding::toward_positive);
      return overflow == Overflow::saturate || upwards || layout_.specials == SpecialValues::none ? 0 : nan;
    }
    if (code < count) return code == 0 && layout_.specials == SpecialValues::fnuz ? 0 : code | (negative ? sign_ : 0);
    const bool away_from_infinity = !std::isinf(value) && (rounding == Rounding::toward_zero ||
                                                           (rounding == Rounding::toward_positive && negative) ||
                                                           (rounding == Rounding::toward_negative && !negative));
    if (overflow == Overflow::saturate || away_from_infinity || layout_.specials == SpecialValues::none)
      return (count - 1) | (negative ? sign_ : 0);
    if (layout_.specials == SpecialValues::fnuz) return sign_;
    return count | (negative ? sign_ : 0);  // infinity (ieee) and NaN (finite_nan) both follow the largest value
  }

 private:
  FloatLayout layout_;
  std::uint32_t sign_;
  std::vector<double> values_;
};

/// xorshift64*: the same numbers everywhere.
class TestNumbers {
 public:
  explicit TestNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  /// Any finite double of either sign with an exponent in [least, most]; half of them with few significant bits.
  double value(int least, int most) {
    const std::uint64_t random = bits();
    std::uint64_t fraction = random >> 12;
    if ((random & 1) != 0) fraction &= ~std::uint64_t{0} << (bits() % 52);
    const double significand = 1.0 + static_cast<double>(fraction & ((std::uint64_t{1} << 52) - 1)) * 0x1p-52;
    const int exponent = least + static_cast<int>(bits() % static_cast<std::uint64_t>(most - least + 1));
    const double magnitude = std::ldexp(significand, exponent);
    return (random & 2) != 0 ? -magnitude : magnitude;
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay::testing
