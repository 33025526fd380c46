#pragma once

#include <cstdint>

#include "assay/formats/classify.hpp"
#include "assay/formats/double_double.hpp"

namespace assay::inline v0 {

/// A number format by its values: code c stands for values[c]. The values come in any order and may repeat; each is
/// finite and below 2^1023 in magnitude, or a NaN. At least one is finite.
template <int BitCount>
struct LookupTable {
  static_assert(BitCount >= 1 && BitCount <= 8, "tables have 2 to 256 values");
  static constexpr int bits = BitCount;       ///< width of a code
  static constexpr int size = 1 << BitCount;  ///< number of codes

  char name[24] = {};  ///< ends with a zero
  double values[size] = {};
};

/// The value of a code; what stands above its lowest bits is ignored.
template <int BitCount>
[[nodiscard]] ASSAY_FUNCTION constexpr double decode(const LookupTable<BitCount>& table, std::uint64_t code) {
  return table.values[code & (LookupTable<BitCount>::size - 1)];
}

namespace detail {

/// `encode` of a table of `size` values.
[[nodiscard]] ASSAY_FUNCTION constexpr int position_in_table(const double* values, int size, double value,
                                                             Rounding rounding) {
  int below = -1, above = -1;  // codes of the neighbors of value, which are the same if it is in the table
  const double operand = is_nan(value) ? 0.0 : value;
  for (int code = 0; code < size; ++code) {
    const double entry = values[code];
    if (is_nan(entry)) {
      if (is_nan(value)) return code;
      continue;
    }
    if (entry <= operand && (below < 0 || entry > values[below])) below = code;
    if (entry >= operand && (above < 0 || entry < values[above])) above = code;
  }
  if (below < 0 || above < 0) return below < 0 ? above : below;
  const double low = values[below], high = values[above];
  const DoubleDouble sum = two_sum(low, high);
  const bool farther =
      2 * operand > sum.high || (2 * operand == sum.high && sum.low < 0);  // than halfway from low to high
  const bool halfway = 2 * operand == sum.high && sum.low == 0;
  bool up = false;
  switch (is_nan(value) ? Rounding::nearest_even : rounding) {
    case Rounding::nearest_even: up = farther; break;
    case Rounding::nearest_away: up = farther || (halfway && operand >= 0); break;
    case Rounding::toward_zero: up = operand < 0; break;
    case Rounding::toward_positive: up = true; break;
    case Rounding::toward_negative: break;
  }
  return up ? above : below;
}

}  // namespace detail

/// The code of the value that is nearest, or next in the direction of `rounding`; outside the range of the table, under
/// either `Overflow`, the value at its end. Of two values as near, `nearest_even` takes the smaller one, since the
/// codes of a table have no evenness, and `nearest_away` the one farther from 0. Of equal values the lowest code. NaN
/// becomes the first NaN of the table; without one, the value nearest to 0. Distances are compared exactly. O(size).
template <int BitCount>
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t encode(const LookupTable<BitCount>& table, double value,
                                                            Rounding rounding = Rounding::nearest_even,
                                                            Overflow = Overflow::ieee) {
  return static_cast<std::uint64_t>(
      detail::position_in_table(table.values, LookupTable<BitCount>::size, value, rounding));
}

}  // namespace assay::inline v0
