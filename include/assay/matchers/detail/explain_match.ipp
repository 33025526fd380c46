#pragma once

#include "assay/matchers/detail/explain_match.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string index_text(const Extents& extents, Index position) {
  std::string text = "]";
  for (std::size_t d = extents.size(); d-- > 0;) {
    text = (d > 0 ? ", " : "[") + std::to_string(position % extents[d]) + text;
    position /= extents[d];
  }
  return text;
}

/// "1 element is", "3 elements are".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string elements_are(std::uint64_t count) {
  return count == 1 ? "1 element is" : std::to_string(count) + " elements are";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string accepted_text(const AcceptanceInterval& accepted, int digits) {
  if (accepted.lower > accepted.upper) return "NaN only";
  const std::string lower = digits_text(accepted.lower, digits), upper = digits_text(accepted.upper, digits);
  const std::string numbers = lower == upper ? lower : lower + " to " + upper;
  return accepted.nan_accepted ? numbers + " or NaN" : lower == upper ? numbers + " only" : numbers;
}

/// "[1, 2]: actual 3.25, expected 3". What was computed in more digits than the output has is shown with two more.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string place_text(const MatchedElement& element,
                                                                const MatchContext& context) {
  return index_text(context.extents, element.position) + ": actual " + digits_text(element.actual, context.digits) +
         ", expected " + digits_text(element.expected.value, context.reference_digits());
}

/// The worst element at length, the next ones in a line each.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string worst_text(const std::vector<MatchedElement>& worst,
                                                                const MatchContext& context) {
  std::string text;
  for (const MatchedElement& element : worst) {
    const std::string share = share_text(element);
    if (&element != &worst.front()) {
      text += "\n  also " + place_text(element, context) + (share.empty() ? "" : "; " + share);
      continue;
    }
    text += "\nworst at " + place_text(element, context) +
            "\n  accepted: " + accepted_text(element.accepted, context.reference_digits());
    if (context.has_error_bounds) text += ", with E = " + digits_text(element.expected.error, 3);
    const double error = std::fabs(element.actual - element.expected.value);
    if (!share.empty())
      text += "\n  error: " + digits_text(error, 3) + " = " + digits_text(error / element.unit_in_last_place, 3) +
              " ulp, " + share;
  }
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string special_counts(const Comparison& comparison) {
  std::string text;
  const auto count = [&](std::uint64_t number, const char* what) {
    if (number > 0) text += "\n" + elements_are(number) + " " + what;
  };
  count(comparison.nan_unexpected, "NaN where a number is due");
  count(comparison.nan_missing, "a number where NaN is due");
  count(comparison.infinity_unexpected, "infinite where a finite number, or the other infinity, is due");
  count(comparison.infinity_missing, "finite where an infinity is due");
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string undetermined_because(const MatchedElement& element,
                                                            const MatchContext& context) {
  if (std::isnan(element.expected.value)) return "NaN is expected, which " + context.format + " does not have";
  if (!std::isfinite(element.expected.error))
    return std::isnan(element.expected.error)
               ? "its error bound E is NaN"
               : "its error bound E is infinite: no bound on a correct kernel's error holds";
  return "the tolerance does not decide it";
}

ASSAY_DETAIL_HEADER_INLINE std::string explain_match(const Comparison& comparison, const MatchContext& context,
                                                     const std::vector<MatchedElement>& worst,
                                                     const MatchedElement* first_undetermined, bool rules_hold) {
  const std::string elements =
      std::to_string(comparison.elements) + (comparison.elements == 1 ? " element" : " elements");
  const std::string what = " (" + extents_text(context.extents) + " of " + context.format + ")";
  std::string text;
  if (comparison.violations > 0) {
    text = std::to_string(comparison.violations) + " of " + elements +
           (comparison.violations == 1 ? " lies outside its" : " lie outside their") + " acceptance interval" + what;
  } else if (comparison.undetermined > 0) {
    text = "nothing is refuted, but not everything is decided" + what;
  } else {
    text = comparison.elements == 1 ? "1 element lies in its acceptance interval" + what
                                    : "all " + elements + " lie in their acceptance interval" + what;
    if (comparison.max_ratio.value > 1e-100) {  // less where any finite number is allowed
      const Index position =
          comparison.max_ratio.position.row * comparison.columns + comparison.max_ratio.position.column;
      text += "; the worst, at " + index_text(context.extents, position) + ", takes " +
              digits_text(comparison.max_ratio.value, 3) + " of the allowed error";
    }
    if (!rules_hold) text += ", but the output as a whole is refuted";
  }
  text += worst_text(worst, context) + special_counts(comparison);
  if (first_undetermined != nullptr)
    text += "\n" + std::to_string(comparison.undetermined) + " of " + elements +
            (comparison.undetermined == 1 ? " is" : " are") + " undetermined, the first at " +
            index_text(context.extents, first_undetermined->position) + ": " +
            undetermined_because(*first_undetermined, context);
  text += "\ntolerance: " + context.tolerance;
  if (comparison.violations > 0 && context.needs_error_bounds && !context.has_error_bounds)
    text +=
        "\nno error bounds E came with the expected values, so that nothing but their rounding is allowed: give them "
        "by "
        "with_error_bounds(values, bounds), or choose "
        "another tolerance";
  return text;
}

}  // namespace assay::inline v0::detail
