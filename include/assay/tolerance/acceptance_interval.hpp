#pragma once

#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

/// The values that a correct kernel may give for one element: a closed interval of numbers of the output format, as
/// doubles, endpoints perhaps infinite; NaN or not; or nothing that could be said.
struct AcceptanceInterval {
  double lower = 0;           ///< smallest accepted value; −∞: none
  double upper = 0;           ///< largest accepted value; ∞: none
  bool nan_accepted = false;  ///< NaN is right
  bool undetermined = false;  ///< no answer can be refuted

  /// NaN is the one right answer: no number is.
  [[nodiscard]] ASSAY_FUNCTION static constexpr AcceptanceInterval only_nan() {
    const double infinity = detail::double_of(binary64_layout.infinity_bits());
    return {infinity, -infinity, true, false};
  }
  /// The interval of an element of which nothing can be said: accepts everything and counts as undecided.
  [[nodiscard]] ASSAY_FUNCTION static constexpr AcceptanceInterval nothing_known() { return {0, 0, true, true}; }

  /// Whether a value of the output format is acceptable. Always true where `undetermined`: ask that first.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool contains(double value) const {
    if (undetermined) return true;
    return is_nan(value) ? nan_accepted : lower <= value && value <= upper;
  }
  /// Whether it is one of several that are acceptable. Precondition: it is.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool contains_others_than(double value) const {
    return undetermined || (is_nan(value) ? lower <= upper : nan_accepted || lower < upper);
  }
};

/// |out − r| over what the interval allows on that side of r, for finite values; infinite where that is nothing.
[[nodiscard]] ASSAY_FUNCTION constexpr double error_over_interval(double out, double reference,
                                                                  const AcceptanceInterval& accepted) {
  const double error = out > reference ? out - reference : reference - out;
  if (error == 0) return 0;
  const double allowed = out > reference ? accepted.upper - reference : reference - accepted.lower;
  return allowed > 0 ? error / allowed : detail::double_of(binary64_layout.infinity_bits());
}

}  // namespace assay::inline v0
