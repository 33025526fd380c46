#pragma once

#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

/// Accepts only the reference, correctly rounded to the output's format. +0 and −0 are the same number.
struct ExactTolerance {
  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected); special.decided)
      return special.interval;
    const double rounded = round_to<T>(expected.value);
    return is_nan(rounded) ? AcceptanceInterval::only_nan() : AcceptanceInterval{rounded, rounded, false, false};
  }
  [[nodiscard]] std::string describe() const { return "exact: accept only the correctly rounded reference"; }
};

}  // namespace assay::inline v0
