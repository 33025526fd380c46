#pragma once

#include "assay/validators/describe_comparison.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// What the places of the violations say.
ASSAY_DETAIL_HEADER_INLINE void describe_places(const Comparison& comparison, const ComparisonContext& context,
                                                Outcome& outcome) {
  std::size_t failing = 0, first = comparison.row_ratio.size(), last = 0;
  for (std::size_t group = 0; group < comparison.row_ratio.size(); ++group) {
    if (!(comparison.row_ratio[group] > 1)) continue;
    ++failing;
    first = std::min(first, group);
    last = group;
  }
  const Index first_row = static_cast<Index>(first) * comparison.rows_per_group;
  const Index last_row = std::min(static_cast<Index>(last + 1) * comparison.rows_per_group, comparison.rows) - 1;
  if (failing < comparison.row_ratio.size()) {
    const std::string share =
        std::to_string(failing) + " of " + std::to_string(comparison.row_ratio.size()) +
        (comparison.rows_per_group > 1 ? " groups of " + std::to_string(comparison.rows_per_group) + " rows"
                                       : std::string(" rows"));
    const bool everywhere = first_row == 0 && last_row == comparison.rows - 1;
    if (everywhere)
      outcome.diagnosis.push_back(share + " hold violations");
    else if (first_row == last_row)
      outcome.diagnosis.push_back("row " + std::to_string(first_row) + " of " + std::to_string(comparison.rows) +
                                  " holds all violations");
    else
      outcome.diagnosis.push_back("rows " + std::to_string(first_row) + " to " + std::to_string(last_row) +
                                  " hold all violations; " + share + " are affected");
  }
  if (context.rows_per_batch > 0 && comparison.rows > context.rows_per_batch) {
    const Index first_batch = first_row / context.rows_per_batch, last_batch = last_row / context.rows_per_batch;
    if (first_batch > 0)
      outcome.diagnosis.push_back("the first violation is in batch " + std::to_string(first_batch) +
                                  ": earlier batches are right");
    else if (last_batch == 0)
      outcome.diagnosis.push_back("all violations are in batch 0");
  }
  std::size_t tiles = 0;
  for (double ratio : comparison.tiles.values) tiles += ratio > 1 ? 1 : 0;
  const bool of_elements = comparison.tiles.rows_per_cell == 1 && comparison.tiles.columns_per_cell == 1;
  if (tiles > 0 && tiles < comparison.tiles.values.size() && !of_elements)
    outcome.diagnosis.push_back(std::to_string(tiles) + " of " + std::to_string(comparison.tiles.values.size()) +
                                " tiles of " + std::to_string(comparison.tiles.rows_per_cell) + " x " +
                                std::to_string(comparison.tiles.columns_per_cell) + " elements hold violations");
}

ASSAY_DETAIL_HEADER_INLINE Table worst_elements(const Comparison& comparison) {
  Table table{
      "worst elements", {"row", "column", "actual", "expected", "accepted from", "accepted to", "error / allowed"}, {}};
  const auto exact = [](double value) { return printed_number(value, 17); };
  for (const ComparedElement& element : comparison.worst)
    table.rows.push_back({std::to_string(element.position.row), std::to_string(element.position.column),
                          exact(element.actual), exact(element.expected),
                          element.lower > element.upper ? "NaN" : exact(element.lower),
                          element.lower > element.upper ? "NaN" : exact(element.upper), ratio_text(element.ratio)});
  return table;
}

/// The refuted element that is farthest off, in numbers with as many digits as tell them apart.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string worst_element(const ComparedElement& element) {
  const std::string place =
      "[" + std::to_string(element.position.row) + ", " + std::to_string(element.position.column) + "]";
  const bool nan_is_due = element.lower > element.upper || element.expected != element.expected;
  const bool exact = element.lower == element.upper;
  for (int digits = 4; digits <= 17; ++digits) {
    const auto text = [digits](double value) {
      return value != value ? std::string("NaN") : printed_number(value, digits);
    };
    const std::string actual = text(element.actual), expected = text(element.expected), lower = text(element.lower),
                      upper = text(element.upper);
    if (digits < 17 && (actual == expected || actual == lower || actual == upper)) continue;
    const bool hides = (lower == expected && element.lower != element.expected) ||
                       (upper == expected && element.upper != element.expected);
    if (digits < 17 && !nan_is_due && !exact && (lower == upper || hides)) continue;
    std::string words = place + ": actual " + actual + ", expected " + (nan_is_due ? "NaN" : expected);
    if (nan_is_due) return words;
    if (exact) return words + (lower == expected ? " and nothing else" : ", accepted " + lower + " alone");
    words += ", accepted " + lower + " ... " + upper;
    return element.ratio < 1e300 ? words + " (" + ratio_text(element.ratio) + " times the allowed error)" : words;
  }
  return place;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE void describe(const Comparison& comparison, const ComparisonContext& context,
                                         Outcome& outcome) {
  outcome.measure(measurement::elements, static_cast<double>(comparison.elements), "elements");
  outcome.measure(measurement::violations, static_cast<double>(comparison.violations), "elements");
  outcome.measure("undetermined", static_cast<double>(comparison.undetermined), "elements");
  if (comparison.undetermined < comparison.elements || comparison.elements == 0)
    outcome.measure(measurement::worst_error_ratio, comparison.max_ratio.value);
  outcome.measure(measurement::max_absolute_error, comparison.max_absolute_error.value);
  outcome.measure(measurement::max_relative_error, comparison.max_relative_error.value);
  outcome.measure(measurement::max_ulp_error, comparison.max_ulp_error.value, "ulp");
  const ErrorStatistics& statistics = comparison.statistics;
  if (statistics.elements > 0) {
    outcome.measure("mean_signed_error", statistics.signed_error / static_cast<double>(statistics.elements));
    outcome.measure("misrounded", static_cast<double>(statistics.misrounded), "elements");
    if (statistics.squared_reference > 0)
      outcome.measure("relative_mean_square_error", statistics.squared_error / statistics.squared_reference);
  }

  outcome.verdict = Verdict::pass;
  if (comparison.undetermined > 0) {
    outcome.verdict = Verdict::inconclusive;
    const std::string which =
        comparison.undetermined == comparison.elements
            ? "no element"
            : std::to_string(comparison.undetermined) + " of " + std::to_string(comparison.elements) + " elements";
    outcome.reason = "undecided: " + which +
                     (comparison.undetermined == comparison.elements ? " can be refuted, because "
                                                                     : " cannot be refuted, because ") +
                     context.undetermined_because;
  }
  if (comparison.violations > 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = std::to_string(comparison.violations) + " of " + std::to_string(comparison.elements) +
                     " elements lie outside their acceptance interval";
    if (!comparison.worst.empty())
      outcome.reason += ", the worst at " + detail::worst_element(comparison.worst.front());
    const auto count = [&](std::uint64_t number, const char* what) {
      if (number > 0) outcome.diagnosis.push_back(std::to_string(number) + what);
    };
    count(comparison.nan_unexpected, " elements are NaN where a number is due");
    count(comparison.nan_missing, " elements are a number where NaN is due");
    count(comparison.infinity_unexpected, " elements are infinite where they should not be");
    count(comparison.infinity_missing, " elements are finite where an infinity is due");
    if (statistics.squared_reference > 0 && statistics.squared_error == statistics.squared_reference &&
        statistics.misrounded_inward == statistics.misrounded)
      outcome.diagnosis.push_back(
          "every finite output equals zero or lies as far off as zero would: the output looks like all zeros");
    detail::describe_places(comparison, context, outcome);
    outcome.tables.push_back(detail::worst_elements(comparison));
    outcome.heat_maps.push_back(comparison.tiles);
  }
  if (context.judge_misrounding) {
    const AggregateFinding finding = MisroundingTolerance{}.judge(statistics);
    if (!finding.acceptable) {
      outcome.diagnosis.push_back("output rounding: " + finding.explanation);
      if (outcome.verdict != Verdict::fail) outcome.reason = finding.explanation;
      outcome.verdict = Verdict::fail;
    }
  }
}

}  // namespace assay::inline v0
