#pragma once

#include "assay/formats/element_format.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0::detail {

/// An intermediate result that is rounded to a format before a kernel goes on: one number where all that lie within its
/// error round to the same, else what lies between the two. Beyond the format's range nothing is known of it.
[[nodiscard]] ASSAY_FUNCTION inline Bounded stored_between(const ElementFormat& format, Bounded result) {
  if (!is_finite(result.value) || !is_finite(result.error)) return result;
  const double low = format.round(result.value - result.error), high = format.round(result.value + result.error);
  if (!is_finite(low) || !is_finite(high)) return {result.value, BoundedArithmetic::infinity()};
  return {low + (high - low) / 2, (high - low) / 2};
}

}  // namespace assay::inline v0::detail
