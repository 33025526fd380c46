#pragma once

#include <cstdint>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

namespace detail {
/// Away from zero where the discarded part, cut to `count` bits, and the random bits sum to 1 or more.
struct AwayByRandomBits {
  std::uint64_t random;
  int count;
  ASSAY_FUNCTION constexpr bool operator()(std::uint64_t, std::uint64_t discarded) const {
    return (discarded >> (64 - count)) + random >= std::uint64_t{1} << count;
  }
};
[[nodiscard]] ASSAY_FUNCTION constexpr AwayByRandomBits away_by_random_bits(std::uint32_t random_bits, int count) {
  return {random_bits & ((std::uint64_t{1} << count) - 1), count};
}
}  // namespace detail

/// The code of `value`, rounded stochastically, as hardware does it: the magnitude's part below the last kept place is
/// cut to `number_of_random_bits` = N bits, F·2^−N; the lowest N bits of `random_bits` are a number R < 2^N; the
/// magnitude rounds away from zero where F + R ≥ 2^N. Uniform R so give a probability of F·2^−N, which falls short of
/// the exact one by less than 2^−N; exact values never change. It is the addition of R to the discarded bits with a
/// carry into the kept ones, as in PTX's cvt.rs and AMD's v_cvt_sr. Beyond the largest number, the place where the next
/// would stand counts: what rounds to it overflows. Precondition: 1 ≤ N ≤ 32. O(1).
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode_stochastic(FloatLayout layout, double value,
                                                                       std::uint32_t random_bits,
                                                                       int number_of_random_bits,
                                                                       Overflow overflow = Overflow::ieee) {
  return detail::encode_by(layout, value, Rounding::nearest_even, overflow,
                           detail::away_by_random_bits(random_bits, number_of_random_bits));
}

/// The same for integers, which saturate under either `Overflow`.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode_stochastic(IntegerLayout layout, double value,
                                                                       std::uint32_t random_bits,
                                                                       int number_of_random_bits,
                                                                       Overflow = Overflow::ieee) {
  return detail::encode_by(layout, value, detail::away_by_random_bits(random_bits, number_of_random_bits));
}

/// The same as a value of T.
template <Format T>
requires(FloatFormat<T> || IntegerFormat<T>) [[nodiscard]] ASSAY_FUNCTION constexpr T
    encode_stochastic(double value, std::uint32_t random_bits, int number_of_random_bits,
                      Overflow overflow = Overflow::ieee) {
  using Traits = FormatTraits<T>;
  constexpr auto layout = Traits::layout;
  return Traits::from_bits(static_cast<typename Traits::Bits>(
      encode_stochastic(layout, value, random_bits, number_of_random_bits, overflow)));
}

}  // namespace assay::inline v0
