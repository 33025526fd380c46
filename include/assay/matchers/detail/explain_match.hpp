#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/compare/comparison.hpp"
#include "assay/core/detail/printed_number.hpp"
#include "assay/core/index.hpp"
#include "assay/report/text.hpp"
#include "assay/tolerance/acceptance_interval.hpp"
#include "assay/tolerance/expected_element.hpp"

// The words of a match, free of formats and ranks: instantiated once.

namespace assay::inline v0::detail {

using Extents = std::vector<Index>;

/// "4 x 5".
[[nodiscard]] inline std::string extents_text(const Extents& extents) {
  std::string text;
  for (const Index extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// "[1, 2]": the index in every dimension of the element at a position counted row by row.
[[nodiscard]] inline std::string index_text(const Extents& extents, Index position) {
  std::string text = "]";
  for (std::size_t d = extents.size(); d-- > 0;) {
    text = (d > 0 ? ", " : "[") + std::to_string(position % extents[d]) + text;
    position /= extents[d];
  }
  return text;
}

/// A number to `digits` significant digits, without trailing zeros; independent of the locale.
[[nodiscard]] inline std::string digits_text(double value, int digits) {
  return std::isfinite(value) ? printed_number(value, digits) : number_text(value);
}

/// "1 element is", "3 elements are".
[[nodiscard]] inline std::string elements_are(std::uint64_t count) {
  return count == 1 ? "1 element is" : std::to_string(count) + " elements are";
}

/// One element of a match, and the number of significant digits that tells the outputs' numbers apart.
struct MatchedElement {
  Index position = 0;
  double actual = 0;
  ExpectedElement expected;
  AcceptanceInterval accepted;
  double unit_in_last_place = 0;  ///< of the output's format at the expected value
  double ratio = 0;               ///< error / allowed
};

/// What a match was about.
struct MatchContext {
  Extents extents;     ///< of which indices are given
  std::string format;  ///< of the output
  int digits = 17;     ///< that tell two numbers of the output's format apart
  std::string tolerance;
  bool has_error_bounds = false;
  bool needs_error_bounds = false;  ///< the tolerance's answer depends on E

  [[nodiscard]] int reference_digits() const { return digits < 17 ? digits + 2 : 17; }
};

[[nodiscard]] inline std::string accepted_text(const AcceptanceInterval& accepted, int digits) {
  if (accepted.lower > accepted.upper) return "NaN only";
  const std::string lower = digits_text(accepted.lower, digits), upper = digits_text(accepted.upper, digits);
  const std::string numbers = lower == upper ? lower : lower + " to " + upper;
  return accepted.nan_accepted ? numbers + " or NaN" : lower == upper ? numbers + " only" : numbers;
}

/// "25 times the allowed error"; empty where an error has no size.
[[nodiscard]] inline std::string share_text(const MatchedElement& element) {
  if (!std::isfinite(element.actual - element.expected.value)) return {};
  return std::isfinite(element.ratio) ? digits_text(element.ratio, 3) + " times the allowed error" : "where none is allowed";
}

/// "[1, 2]: actual 3.25, expected 3". What was computed in more digits than the output has is shown with two more.
[[nodiscard]] inline std::string place_text(const MatchedElement& element, const MatchContext& context) {
  return index_text(context.extents, element.position) + ": actual " + digits_text(element.actual, context.digits) + ", expected " +
         digits_text(element.expected.value, context.reference_digits());
}

/// The worst element at length, the next ones in a line each.
[[nodiscard]] inline std::string worst_text(const std::vector<MatchedElement>& worst, const MatchContext& context) {
  std::string text;
  for (const MatchedElement& element : worst) {
    const std::string share = share_text(element);
    if (&element != &worst.front()) {
      text += "\n  also " + place_text(element, context) + (share.empty() ? "" : "; " + share);
      continue;
    }
    text += "\nworst at " + place_text(element, context) + "\n  accepted: " + accepted_text(element.accepted, context.reference_digits());
    if (context.has_error_bounds) text += ", with E = " + digits_text(element.expected.error, 3);
    const double error = std::fabs(element.actual - element.expected.value);
    if (!share.empty())
      text += "\n  error: " + digits_text(error, 3) + " = " + digits_text(error / element.unit_in_last_place, 3) + " ulp, " + share;
  }
  return text;
}

[[nodiscard]] inline std::string special_counts(const Comparison& comparison) {
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

/// Why nothing can be said of an element.
[[nodiscard]] inline std::string undetermined_because(const MatchedElement& element, const MatchContext& context) {
  if (std::isnan(element.expected.value)) return "NaN is expected, which " + context.format + " does not have";
  if (!std::isfinite(element.expected.error))
    return std::isnan(element.expected.error) ? "its error bound E is NaN"
                                              : "its error bound E is infinite: no bound on a correct kernel's error holds";
  return "the tolerance does not decide it";
}

/// The text of a comparison: `worst` are its worst elements, `first_undetermined` that where nothing could be said, if any.
[[nodiscard]] inline std::string explain_match(const Comparison& comparison, const MatchContext& context,
                                               const std::vector<MatchedElement>& worst, const MatchedElement* first_undetermined,
                                               bool rules_hold) {
  const std::string elements = std::to_string(comparison.elements) + (comparison.elements == 1 ? " element" : " elements");
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
      const Index position = comparison.max_ratio.position.row * comparison.columns + comparison.max_ratio.position.column;
      text += "; the worst, at " + index_text(context.extents, position) + ", takes " + digits_text(comparison.max_ratio.value, 3) +
              " of the allowed error";
    }
    if (!rules_hold) text += ", but the output as a whole is refuted";
  }
  text += worst_text(worst, context) + special_counts(comparison);
  if (first_undetermined != nullptr)
    text += "\n" + std::to_string(comparison.undetermined) + " of " + elements + (comparison.undetermined == 1 ? " is" : " are") +
            " undetermined, the first at " + index_text(context.extents, first_undetermined->position) + ": " +
            undetermined_because(*first_undetermined, context);
  text += "\ntolerance: " + context.tolerance;
  if (comparison.violations > 0 && context.needs_error_bounds && !context.has_error_bounds)
    text +=
        "\nno error bounds E came with the expected values, so that nothing but their rounding is allowed: give them by "
        "with_error_bounds(values, bounds), or choose "
        "another tolerance";
  return text;
}

}  // namespace assay::inline v0::detail
