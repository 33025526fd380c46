#pragma once

#include "assay/baselines/compare_golden.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE GoldenComparer::GoldenComparer(const GoldenTensor& golden, const GoldenTensor& found,
                                                          const GoldenAllowance& allowance,
                                                          const ChosenTolerance& tolerance, const ElementFormat& format)
    : golden_(golden),
      found_(found),
      allowance_(allowance),
      tolerance_(tolerance),
      format_(format),
      derived_(tolerance.kind == ChosenTolerance::Kind::derived) {}

ASSAY_DETAIL_HEADER_INLINE GoldenComparison GoldenComparer::take() {
  for (std::size_t i = 0; i < golden_.kept(); ++i) element(i);
  if (!golden_.whole()) {
    const TensorSums &g = golden_.sums, &f = found_.sums;
    all_sums(g.row_sums, f.row_sums, g.row_magnitudes, f.row_magnitudes, allowance_.rows,
             static_cast<double>(g.columns));
    all_sums(g.column_sums, f.column_sums, g.column_magnitudes, f.column_magnitudes, allowance_.columns,
             static_cast<double>(g.rows));
  }
  return result_;
}

ASSAY_DETAIL_HEADER_INLINE GoldenComparer::Judgment GoldenComparer::judge(std::size_t i, double now,
                                                                          double then) const {
  const double infinity = std::numeric_limits<double>::infinity();
  if (is_nan(now) || is_nan(then)) return {is_nan(now) && is_nan(then) ? 0 : infinity, 0, is_nan(now) && is_nan(then)};
  Judgment judgment;
  judgment.error = now == then ? 0 : std::fabs(now - then);
  // Integers beyond 2^53 have one double for many codes.
  if (now == then && !format_.is_float() && golden_.code(i) != found_.code(i)) judgment.error = 1;
  if (derived_) {
    const double own = allowance_.elements[i];
    judgment.allowed = own >= 0 ? 2 * own : infinity;
    judgment.inside = judgment.error <= judgment.allowed;
    return judgment;
  }
  const AcceptanceInterval accepted = operand_interval(format_, tolerance_, {then, 0});
  judgment.allowed = accepted.undetermined ? infinity
                     : is_infinite(then)   ? 0
                                           : std::max(accepted.upper - then, then - accepted.lower);
  judgment.inside = accepted.contains(now) && judgment.error <= judgment.allowed;
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE void GoldenComparer::element(std::size_t i) {
  const double now = format_.decode(found_.code(i)), then = format_.decode(golden_.code(i));
  ++result_.elements;
  if (golden_.code(i) == found_.code(i)) return;  // right whatever is allowed
  ++result_.differing;
  const Judgment judged = judge(i, now, then);
  if (std::isfinite(judged.error)) {
    result_.max_absolute_error = std::max(result_.max_absolute_error, judged.error);
    if (then != 0) result_.max_relative_error = std::max(result_.max_relative_error, judged.error / std::fabs(then));
    if (std::isfinite(then))
      result_.max_ulp_error = std::max(result_.max_ulp_error, judged.error / format_.unit_in_last_place(then));
  } else {
    result_.max_absolute_error = judged.error;
  }
  if (std::isinf(judged.allowed)) {
    ++result_.undecided;
    return;
  }
  result_.violations += judged.inside ? 0 : 1;
  const double ratio = judged.error == 0    ? 0
                       : judged.allowed > 0 ? judged.error / judged.allowed
                                            : std::numeric_limits<double>::infinity();
  if (result_.worst_element >= 0 && !(ratio > result_.worst_ratio)) return;
  result_.worst_ratio = ratio;
  result_.worst_element = golden_.whole() ? static_cast<Index>(i) : golden_.sampled[i];
  result_.worst_new = now;
  result_.worst_golden = then;
  result_.worst_allowed = judged.allowed;
}

ASSAY_DETAIL_HEADER_INLINE double GoldenComparer::allowed_of_sum(double derived, double count, double magnitude) const {
  switch (tolerance_.kind) {
    case ChosenTolerance::Kind::derived: return 2 * derived;
    case ChosenTolerance::Kind::exact: return 0;
    case ChosenTolerance::Kind::ulps:
      return tolerance_.ulps * (2 * format_.unit_roundoff() * magnitude + count * format_.min_subnormal());
    case ChosenTolerance::Kind::preset:
    case ChosenTolerance::Kind::absolute_relative: {
      const bool preset = tolerance_.kind == ChosenTolerance::Kind::preset;
      const AbsoluteRelativeTolerance fixed = preset
                                                  ? preset_tolerance(format_, tolerance_.preset)
                                                  : AbsoluteRelativeTolerance{tolerance_.absolute, tolerance_.relative};
      return count * fixed.absolute + fixed.relative * magnitude + format_.unit_roundoff() * magnitude;
    }
  }
  return std::numeric_limits<double>::infinity();
}

ASSAY_DETAIL_HEADER_INLINE void GoldenComparer::all_sums(const std::vector<double>& golden,
                                                         const std::vector<double>& found,
                                                         const std::vector<double>& golden_magnitudes,
                                                         const std::vector<double>& found_magnitudes,
                                                         const std::vector<double>& allowed, double count) {
  for (std::size_t i = 0; i < golden.size(); ++i) {
    ++result_.sums;
    const double magnitude = golden_magnitudes[i] + found_magnitudes[i];
    // Each sum was rounded twice (CarefulSum).
    const double rounding =
        0x1p-51 * (std::fabs(golden[i]) + std::fabs(found[i])) + count * count * 0x1p-104 * magnitude;
    const double limit = allowed_of_sum(derived_ ? allowed[i] : 0, count, magnitude) + rounding,
                 error = std::fabs(found[i] - golden[i]);
    if (!std::isfinite(limit) || !std::isfinite(error))
      ++result_.sums_undecided;
    else if (error > limit)
      ++result_.sum_violations;
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool same_specials(const TensorSums& a, const TensorSums& b) {
  return a.nans == b.nans && a.positive_infinities == b.positive_infinities &&
         a.negative_infinities == b.negative_infinities;
}

ASSAY_DETAIL_HEADER_INLINE void conclude(GoldenComparison& result, bool sampled, bool specials_agree) {
  const auto number = [](double value) { return number_text(value, 6); };
  const std::string what = std::to_string(result.elements) + (sampled ? " sampled elements" : " elements");
  if (result.violations > 0) {
    result.verdict = Verdict::fail;
    result.reason = std::to_string(result.violations) + " of " + what +
                    " differ from the golden by more than is allowed, the worst, element " +
                    std::to_string(result.worst_element) + ", by " + number_text(result.worst_ratio) +
                    " times that: " + number(result.worst_new) + ", golden " + number(result.worst_golden) +
                    ", allowed ±" + number(result.worst_allowed);
  } else if (!specials_agree) {
    result.verdict = Verdict::fail;
    result.reason = "the output holds another number of NaNs or infinities than the golden";
  } else if (result.sum_violations > 0) {
    result.verdict = Verdict::fail;
    result.reason = std::to_string(result.sum_violations) + " of " + std::to_string(result.sums) +
                    " sums of rows and columns differ from the golden's by more than is allowed, and none of " + what;
  } else if (result.undecided > 0) {
    result.reason = std::to_string(result.undecided) + " of " + what +
                    " differ from the golden where the allowance is infinite, which decides nothing";
  } else if (result.sums_undecided > 0) {
    result.reason = std::to_string(result.sums_undecided) + " of " + std::to_string(result.sums) +
                    " sums of rows and columns could not be judged, for their allowance is infinite";
  } else {
    result.verdict = Verdict::pass;
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE GoldenComparison compare_golden(const GoldenTensor& golden, const GoldenTensor& found,
                                                           const GoldenAllowance& allowance,
                                                           const std::string& tolerance) {
  GoldenComparison result;
  result.rule = tolerance == "derived" ? "derived: |new - golden| <= 2*allowed, since two right kernels may each lie "
                                         "within allowed of the exact value"
                                       : "the record's tolerance " + tolerance + ", around the golden element";
  if (golden.format != found.format || golden.extents != found.extents || golden.code_bytes != found.code_bytes) {
    result.verdict = Verdict::fail;
    result.reason = "the output is " + detail::shape_text(found) + ", and the golden " + detail::shape_text(golden);
    return result;
  }
  expect(golden.sampled == found.sampled && golden.sums.columns == found.sums.columns,
         [] { return "the output and the golden tensor keep different samples; make one in the form of the other"; });
  result.elements = golden.kept();
  result.identical = golden.digest == found.digest && golden.codes == found.codes;
  if (result.identical) {
    result.verdict = Verdict::pass;
    result.rule = "identical bits";
    return result;
  }
  const auto chosen = tolerance_named(tolerance);
  const auto format = element_format_named(golden.format);
  if (!chosen || !format || format->bytes != golden.code_bytes) {
    result.reason = !chosen ? "the record's " + chosen.error().message
                            : "the bits differ, and elements of " + golden.format +
                                  " cannot be compared by their values: the format is unknown here";
    return result;
  }
  if (tolerance == "derived" && !allowance.given()) {
    result.reason =
        "the bits differ, and the case derives no allowance for single elements; record the baseline with a tolerance "
        "of its own";
    return result;
  }
  expect(!allowance.given() || (allowance.elements.size() == golden.kept() &&
                                (golden.whole() || (allowance.rows.size() == golden.sums.row_sums.size() &&
                                                    allowance.columns.size() == golden.sums.column_sums.size()))),
         [] { return "the allowances of an output are not as many as its golden tensor keeps elements and sums"; });
  result = [&, rule = result.rule] {
    GoldenComparison compared = detail::GoldenComparer(golden, found, allowance, chosen.value(), *format).take();
    compared.rule = rule;
    return compared;
  }();
  detail::conclude(result, !golden.whole(), golden.whole() || detail::same_specials(golden.sums, found.sums));
  if (tolerance == "exact" && result.verdict == Verdict::pass && !golden.whole()) {
    result.verdict = Verdict::inconclusive;
    result.reason = "the digest of the output is not the golden's, and neither the " + std::to_string(result.elements) +
                    " sampled elements nor the sums show a difference";
  }
  return result;
}

}  // namespace assay::inline v0
