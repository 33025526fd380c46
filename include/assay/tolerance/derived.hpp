#pragma once

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay {

/// The default: accept iff out ∈ [RN(r − E), RN(r + E)], with RN the declared output rounding and overflow rule. Every
/// correct kernel computes some x with |x − r| ≤ E and gives RN(x); rounding is monotonic, so nothing correct is refused,
/// and nothing outside can come of a correct kernel. Near overflow the same rule decides whether an infinity is right.
struct DerivedTolerance {
  Rounding output_rounding = Rounding::nearest_even;
  Overflow output_overflow = Overflow::ieee;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation(expected); special.decided) return special.interval;
    if (!is_finite(expected.error)) return AcceptanceInterval::nothing_known();
    // r ± E is itself rounded in double: one unit roundoff of slack on either side where E is not zero
    const double slack = expected.error == 0 ? 0 : (expected.error + magnitude(expected.value)) * power_of_two(-52);
    const double lower = round<T>(expected.value - expected.error - slack);
    const double upper = round<T>(expected.value + expected.error + slack);
    if (!is_nan(lower) && !is_nan(upper)) return {lower, upper, false, false};
    // the format's overflow is NaN: where only one end overflows, numbers up to the largest finite one are right too
    if (is_nan(lower) && is_nan(upper) && (expected.value > 0) == (expected.value - expected.error > 0)) return AcceptanceInterval::only_nan();
    return {is_nan(lower) ? -max_finite<T>() : lower, is_nan(upper) ? max_finite<T>() : upper, true, false};
  }

  /// The error that must have been made before the output was rounded, over E: how far r lies outside the numbers that
  /// round to `out`. 0 for the correctly rounded reference, infinite for any other output where E is 0.
  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr double error_ratio(T out, ExpectedElement expected) const {
    const double value = decode(out);
    if (value == expected.value) return 0;
    const double neighbour = decode(value < expected.value ? next_up(out) : next_down(out));
    const double half_gap = is_finite(neighbour) ? magnitude(neighbour - value) / 2 : unit_in_last_place<T>(value) / 2;
    const double excess = magnitude(value - expected.value) - half_gap;
    if (!(excess > 0)) return 0;
    return expected.error > 0 ? excess / expected.error : detail::double_of(binary64_layout.infinity_bits());
  }

  [[nodiscard]] std::string describe() const {
    return "derived: accept iff out lies in [round(r - E), round(r + E)], r the reference, E the bound on a correct kernel's error before the output is rounded";
  }

 private:
  ASSAY_FUNCTION static constexpr double magnitude(double value) { return value < 0 ? -value : value; }

  template <Format T>
  ASSAY_FUNCTION constexpr double round(double value) const {
    return decode(encode<T>(value, output_rounding, output_overflow));
  }
};

}  // namespace assay
