#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/kernels/elementwise/problem.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0::detail {

/// Every finite code of a format once or more, where there are as many elements; else codes drawn at random: all
/// binades alike.
[[nodiscard]] inline double code_value(const ElementFormat& format, Index element, Index count, std::uint64_t seed) {
  const int bits = format.is_float() ? format.layout.bits() : format.integers.bits;
  const std::uint64_t codes = bits < 64 ? std::uint64_t{1} << bits : 0, position = static_cast<std::uint64_t>(element);
  if (codes != 0 && static_cast<std::uint64_t>(count) >= codes)
    return format.decode((position * 40503 + seed) & (codes - 1));
  const double value = format.decode(random_bits(seed, position, 0).low() & (codes - 1));
  return is_finite(value) ? value : 1;
}

/// NaN, infinities, zeros of both signs, the ends of the format, and where functions turn: 0.5, 1, near exp's overflow
/// and underflow, where erf and tanh become 1.
[[nodiscard]] inline double special_value(const ElementFormat& format, Index number) {
  const double largest = format.max_finite(), least = format.min_subnormal(),
               normal = format.is_float() ? power_of_two(format.layout.min_exponent()) : 1;
  const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           0,
                           1,
                           largest,
                           least,
                           normal,
                           0.5,
                           2,
                           9.0,
                           20.5,
                           88.5,
                           89,
                           104,
                           normal - least,
                           3.1415927};
  constexpr Index count = sizeof values / sizeof values[0];
  const double value = values[number / 2 % count];
  return number % 2 == 0 ? value : -value;
}
inline constexpr Index special_values = 32;

/// Midpoints of neighboring values of `to`, and the numbers of `from` next to them on either side.
[[nodiscard]] inline double tie_value(const ElementFormat& from, const ElementFormat& to, Index element,
                                      std::uint64_t seed) {
  double low =
      to.is_float()
          ? to.round(code_value(to, element / 3, 0, seed))
          : static_cast<double>(static_cast<std::int64_t>(
                                    random_bits(seed, static_cast<std::uint64_t>(element / 3), 1).words[0] % 300) -
                                150);
  if (!is_finite(low)) low = 1;
  const double tie = from.round(low + 0.5 * to.unit_in_last_place(low)), step = from.unit_in_last_place(tie);
  return element % 3 == 0 ? tie : element % 3 == 1 ? tie + step : tie - step;
}

}  // namespace assay::inline v0::detail
