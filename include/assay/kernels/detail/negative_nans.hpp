#pragma once

#include <cstdint>
#include <vector>

#include "assay/kernels/operation.hpp"

namespace assay::inline v0::detail {

/// The same data, but for NaNs with their sign set, and with a payload where the format has room for one: one in every
/// third lane. Kernels that order elements by their bits take such a NaN for less than −∞. With `whole_lanes` one lane
/// in seven is NaN throughout, of which no comparison ever holds. The data themselves where the format has no sign or
/// no such NaN. O(elements).
[[nodiscard]] inline OperandFill with_negative_nans(const OperandFill& fill, const ElementFormat& format,
                                                    Index elements, bool whole_lanes = true) {
  if (!format.is_float() || !format.layout.has_nan() || !format.layout.has_sign()) return fill;
  const FloatLayout& layout = format.layout;
  const std::uint64_t payload = layout.fraction_bits >= 4 && layout.has_infinity() ? 2 : 0,
                      negative = layout.nan_bits() | layout.sign_mask() | payload;
  const Index length = fill.pattern.length > 0 ? fill.pattern.length : 1, inner = fill.inner;
  const OperandValues values = fill.values();
  std::vector<std::uint64_t> codes;
  for (Index e = 0; e < elements; ++e) {
    const Index lane = e / (length * inner) * inner + e % inner, position = e / inner % length;
    const bool here = lane % 3 == 1 && position == (5 * lane + 1) % length, throughout = whole_lanes && lane % 7 == 5;
    codes.push_back(here ? negative : throughout ? layout.nan_bits() : format.encode(values(e)));
  }
  return OperandFill::of_codes(codes);
}

}  // namespace assay::inline v0::detail
