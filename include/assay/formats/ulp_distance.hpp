#pragma once

#include <cstdint>

#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

/// The place of a value among all values of T in ascending order, counted from zero: 1 for the smallest number above it
/// (0 where T has no zero), negative below. Both zeros have place 0; an infinity follows the largest number.
/// Precondition: no NaN.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr std::int64_t place_in_order(T value) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const std::uint64_t code = FormatTraits<T>::to_bits(value);
  const auto place = static_cast<std::int64_t>(code & layout.magnitude_mask());
  return (code & layout.sign_mask()) != 0 ? -place : place;
}

/// What `ulp_distance` gives where there is none: a NaN on either side.
inline constexpr std::uint64_t no_ulp_distance = ~std::uint64_t{0};

/// How many steps of `next_up` lead from the smaller to the larger value: 0 for equal ones, also for zeros of either
/// sign. `no_ulp_distance`, which is farther than any two numbers are, if one of them is NaN.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t ulp_distance(T a, T b) {
  if (is_nan(a) || is_nan(b)) return no_ulp_distance;
  const auto place_a = place_in_order(a), place_b = place_in_order(b);
  const auto from = static_cast<std::uint64_t>(place_a),
             to = static_cast<std::uint64_t>(place_b);  // modulo 2^64: no overflow
  return place_a < place_b ? to - from : from - to;
}

}  // namespace assay::inline v0
