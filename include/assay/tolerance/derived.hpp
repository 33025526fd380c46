#pragma once

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

namespace detail {

/// Rounding to a format that is a type.
template <Format T>
struct OutputRounding {
  Rounding rounding = Rounding::nearest_even;
  Overflow overflow = Overflow::ieee;
  [[nodiscard]] ASSAY_FUNCTION constexpr double round(double value) const {
    return decode(encode<T>(value, rounding, overflow));
  }
};

/// The largest finite number of any format.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr double largest_number() {
  if constexpr (FloatFormat<T>)
    return max_finite<T>();
  else
    return decode(encode<T>(max_finite<float64>(), Rounding::toward_zero, Overflow::saturate));
}

/// [RN(r − E), RN(r + E)] of a finite r, with RN = `rounding.round`, in a format whose largest number is `largest`.
template <class Rounder>
[[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval derived_interval(ExpectedElement expected,
                                                                           const Rounder& rounding, double largest) {
  if (!is_finite(expected.error)) return AcceptanceInterval::nothing_known();
  // r ± E is itself rounded in double: one unit roundoff of slack on either side where E is not zero
  const double slack = expected.error == 0 ? 0 : (expected.error + absolute(expected.value)) * power_of_two(-52);
  const double lower = rounding.round(expected.value - expected.error - slack);
  const double upper = rounding.round(expected.value + expected.error + slack);
  if (!is_nan(lower) && !is_nan(upper)) return {lower, upper, false, false};
  // the format's overflow is NaN: where only one end overflows, numbers up to the largest finite one are right too
  const bool one_sign = (expected.value - expected.error > 0) == (expected.value + expected.error > 0);
  if (is_nan(lower) && is_nan(upper) && one_sign) return AcceptanceInterval::only_nan();
  return {is_nan(lower) ? -largest : lower, is_nan(upper) ? largest : upper, true, false};
}

}  // namespace detail

/// The default: accept iff out ∈ [RN(r − E), RN(r + E)], with RN the declared output rounding and overflow rule. Every
/// correct kernel computes some x with |x − r| ≤ E and gives RN(x); rounding is monotonic, so nothing correct is
/// refused, and nothing outside can come of a correct kernel. Near overflow the same rule decides whether an infinity
/// is right.
struct DerivedTolerance {
  Rounding output_rounding = Rounding::nearest_even;
  Overflow output_overflow = Overflow::ieee;

  /// [round(r − E), round(r + E)] in T; nothing is known where E is infinite and nothing else decides.
  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected, output_overflow);
        special.decided)
      return special.interval;
    return detail::derived_interval(expected, detail::OutputRounding<T>{output_rounding, output_overflow},
                                    detail::largest_number<T>());
  }

  /// The error that must have been made before the output was rounded, over E: how far r lies outside the numbers that
  /// round to `out`. 0 for the correctly rounded reference, infinite for any other output where E is 0. Only of
  /// floating-point formats, where numbers round to the nearer neighbor; of others the distance to the reference over
  /// the distance to the interval's end counts.
  template <FloatFormat T>
  [[nodiscard]] ASSAY_FUNCTION constexpr double error_ratio(T out, ExpectedElement expected) const {
    const double value = decode(out);
    if (value == expected.value) return 0;
    const bool below = value < expected.value;
    const double neighbor = decode(below ? next_up(out) : next_down(out));
    const bool last = !is_finite(neighbor) || neighbor == value;  // nothing but overflow lies beyond
    const double share = share_of_gap(below, value);
    if (last && (output_overflow == Overflow::saturate || share == 1)) return 0;
    const double gap = last ? unit_in_last_place<T>(value) : detail::absolute(neighbor - value);
    const double excess = detail::absolute(value - expected.value) - gap * share;
    if (!(excess > 0)) return 0;
    return expected.error > 0 ? excess / expected.error : detail::double_of(binary64_layout.infinity_bits());
  }

  /// The rule in one line, for derivations.
  [[nodiscard]] std::string describe() const {
    return "derived: accept iff out lies in [round(r - E), round(r + E)], r the reference, E the bound on a correct "
           "kernel's error before "
           "the output is rounded";
  }

 private:
  /// How much of the gap between `value` and its neighbor above (or below) rounds to `value`.
  ASSAY_FUNCTION constexpr double share_of_gap(bool above, double value) const {
    switch (output_rounding) {
      case Rounding::nearest_even:
      case Rounding::nearest_away: return 0.5;
      case Rounding::toward_positive: return above ? 0 : 1;
      case Rounding::toward_negative: return above ? 1 : 0;
      case Rounding::toward_zero: return value == 0 || above == (value > 0) ? 1 : 0;
    }
    return 0.5;
  }
};

}  // namespace assay::inline v0
