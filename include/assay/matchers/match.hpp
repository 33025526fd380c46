#pragma once

#include <utility>

#include "assay/matchers/criterion.hpp"

namespace assay::inline v0 {

/// Whether `actual` is what `expected` and a tolerance ask for, with the explanation: all that a test framework needs.
/// `criteria` are a `Tolerance` for each element, `AggregateTolerance` rules for the output as a whole, or both, in
/// that order. See `element_view` for what `actual` may be, `reference_values` for `expected`, and `Criterion::match`.
template <Elements Actual, class Expected, class... Criteria>
[[nodiscard]] MatchResult match(const Actual& actual, const Expected& expected, const Criteria&... criteria) {
  return criterion(expected, criteria...).match(actual);
}

}  // namespace assay::inline v0
