#pragma once

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay {

/// Accepts the correctly rounded reference and its `count` neighbours on either side.
struct UlpTolerance {
  unsigned count = 1;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation(expected); special.decided) return special.interval;
    T lower = encode<T>(expected.value), upper = lower;
    for (unsigned step = 0; step < count; ++step) {
      lower = next_down(lower);
      upper = next_up(upper);
    }
    return is_nan(lower) ? AcceptanceInterval::only_nan() : AcceptanceInterval{decode(lower), decode(upper), false, false};
  }
  [[nodiscard]] std::string describe() const { return "ulps: accept within " + std::to_string(count) + " units in the last place of the rounded reference"; }
};

}  // namespace assay
