#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/compare/comparison.hpp"
#include "assay/core/index.hpp"
#include "assay/core/printed_number.hpp"
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
[[nodiscard]] std::string index_text(const Extents& extents, Index position);

/// A number to `digits` significant digits, without trailing zeros; independent of the locale.
[[nodiscard]] inline std::string digits_text(double value, int digits) {
  return std::isfinite(value) ? printed_number(value, digits) : number_text(value);
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

/// "25 times the allowed error"; empty where an error has no size.
[[nodiscard]] inline std::string share_text(const MatchedElement& element) {
  if (!std::isfinite(element.actual - element.expected.value)) return {};
  return std::isfinite(element.ratio) ? digits_text(element.ratio, 3) + " times the allowed error"
                                      : "where none is allowed";
}

/// Why nothing can be said of an element.
[[nodiscard]] std::string undetermined_because(const MatchedElement& element, const MatchContext& context);

/// The text of a comparison: `worst` are its worst elements, `first_undetermined` that where nothing could be said, if
/// any.
[[nodiscard]] std::string explain_match(const Comparison& comparison, const MatchContext& context,
                                        const std::vector<MatchedElement>& worst,
                                        const MatchedElement* first_undetermined, bool rules_hold);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/matchers/detail/explain_match.ipp"
#endif
