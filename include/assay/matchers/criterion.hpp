#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/compare/compare.hpp"
#include "assay/matchers/contiguous_reference.hpp"
#include "assay/matchers/detail/explain_match.hpp"
#include "assay/matchers/reference_values.hpp"
#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/aggregate.hpp"

namespace assay::inline v0 {

/// Whether an output is what it should be, and why, in lines for people: what failed and where, or how near it came.
struct MatchResult {
  bool matched = false;     ///< the output is accepted
  std::string explanation;  ///< several lines, for accepted outputs as well

  /// The same as `matched`.
  explicit operator bool() const { return matched; }
};

/// Any finite number where one is due: what an element must be where rules judge the output as a whole only.
struct FiniteTolerance {
  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    return absolute_tolerance(max_finite<float64>()).template interval<T>(expected);
  }
  [[nodiscard]] std::string describe() const { return "each element: any finite number where one is due"; }
};

/// What an output is held against: a reference, a tolerance for each element, and rules for the output as a whole.
/// Knows of no test framework. Copies are cheap and share the reference. Thread safety: concurrent `match` is allowed.
template <class Reference, class Model, AggregateTolerance... Rules>
class Criterion {
 public:
  /// Shares the reference.
  Criterion(Reference reference, Model tolerance, Rules... rules)
      : reference_(std::move(reference)), tolerance_(tolerance), rules_(std::move(rules)...) {}

  /// "the 4 x 5 expected values".
  [[nodiscard]] std::string describe() const {
    const detail::Extents& extents = reference_.extents;
    return extents == detail::Extents{1} ? "the expected value"
                                         : "the " + detail::extents_text(extents) + " expected values";
  }

  /// Compares every element of `actual` (see `Elements`) in one pass on the host. Extents must agree; where the output
  /// or the reference is flat, sizes must, and elements count row by row. Matched only if every element was decided and
  /// accepted and every rule holds: NaN passes only where NaN is due, an empty output only for an empty reference, an
  /// undetermined element never. More than 2^20 elements are shared among threads. Misuse: views that cannot be walked,
  /// see `compare`. Time O(elements).
  template <Elements Actual>
  [[nodiscard]] MatchResult match(const Actual& actual) const {
    return match_view(element_view(actual), element_extents(actual));
  }

 private:
  static constexpr std::size_t most_shown = 5;
  static constexpr Index least_for_threads = Index{1} << 20;

  /// Whether elements of these extents stand for each other: extents are equal, or one side is flat and sizes are.
  template <class One, class Other>
  [[nodiscard]] static bool agree(const One& one, const detail::Extents& extents, const Other& other,
                                  const detail::Extents& other_extents) {
    return extents == other_extents ||
           ((extents.size() == 1 || other_extents.size() == 1) && one.size() == other.size());
  }

  template <class T, std::size_t Rank>
  [[nodiscard]] MatchResult match_view(const StridedView<const T, Rank>& actual,
                                       const detail::Extents& actual_extents) const {
    static_assert(
        Tolerance<Model, T>,
        "the tolerance is not a model of assay::Tolerance for the format of this output (see tolerance/tolerance.hpp)");
    expect_walkable(actual, "match: the output");
    expect_walkable(reference_.values, "match: the expected values");
    const std::string format = FormatTraits<T>::name();
    const detail::Extents& extents = reference_.extents;
    if (!agree(actual, actual_extents, reference_.values, extents))
      return {false, "the extents differ: the output has " + detail::extents_text(actual_extents) + " elements of " +
                         format + ", expected are " + detail::extents_text(extents)};
    if (reference_.has_error_bounds) {
      expect_walkable(reference_.error_bounds, "match: the error bounds");
      if (!agree(reference_.values, extents, reference_.error_bounds, reference_.error_bound_extents))
        return {false, "the extents of the reference differ: " + detail::extents_text(extents) + " expected values, " +
                           detail::extents_text(reference_.error_bound_extents) + " error bounds"};
    }
    if (actual.size() == 0)
      return {true, "empty, as expected (" + detail::extents_text(actual_extents) + " elements of " + format +
                        "): nothing was compared"};

    Host host(actual.size() < least_for_threads ? 1 : 0);  // not kept: threads do not survive the fork of a death test
    Host::Stream stream;
    const ContiguousReference reference(reference_);
    if (reference_.has_error_bounds) {
      const double* const begin = reference.error_bounds();
      const double* const negative = std::find_if(begin, begin + actual.size(), [](double bound) { return bound < 0; });
      if (negative != begin + actual.size())
        return {false, "the error bound at " + detail::index_text(extents, negative - begin) + " is " +
                           detail::digits_text(*negative, 3) + "; bounds are 0 or more"};
    }
    const auto expected = reference.expected(actual.extents[Rank - 1]);
    const auto compared = compare(host, stream, actual, expected, tolerance_);
    if (!compared) return {false, "nothing was compared: " + compared.error().message};
    detail::MatchContext context{actual_extents.size() > 1 ? actual_extents : extents,
                                 format,
                                 digits_of<T>(),
                                 tolerance_.describe(),
                                 reference_.has_error_bounds,
                                 depends_on_error<T>()};
    return judge<T>(compared.value(), expected, context);
  }

  template <class T, class Expected>
  [[nodiscard]] MatchResult judge(const Comparison& comparison, const Expected& expected,
                                  const detail::MatchContext& context) const {
    std::vector<detail::MatchedElement> worst;
    for (std::size_t i = 0; i < std::min(comparison.worst.size(), most_shown); ++i) {
      const ComparedElement& element = comparison.worst[i];
      worst.push_back(look_at<T>(element.position, comparison.columns, expected, element.actual, element.ratio));
    }
    detail::MatchedElement undetermined;
    if (comparison.undetermined > 0) undetermined = first_undetermined<T>(comparison, expected);
    std::string judgments;
    bool rules_hold = true;
    const auto apply = [&](const auto& rule) {
      const AggregateFinding finding = rule.judge(comparison.statistics);
      judgments += "\nas a whole: " + finding.explanation + (finding.acceptable ? "" : ": refuted");
      rules_hold = rules_hold && finding.acceptable;
    };
    std::apply([&](const auto&... rules) { (apply(rules), ...); }, rules_);
    return {comparison.violations == 0 && comparison.undetermined == 0 && rules_hold,
            detail::explain_match(comparison, context, worst, comparison.undetermined > 0 ? &undetermined : nullptr,
                                  rules_hold) +
                judgments};
  }

  template <class T, class Expected>
  [[nodiscard]] detail::MatchedElement look_at(MatrixPosition place, Index columns, const Expected& expected,
                                               double actual, double ratio) const {
    const ExpectedElement element = expected(place.row, place.column);
    return {place.row * columns + place.column,   actual, element, tolerance_.template interval<T>(element),
            unit_in_last_place<T>(element.value), ratio};
  }

  template <class T, class Expected>
  [[nodiscard]] detail::MatchedElement first_undetermined(const Comparison& comparison,
                                                          const Expected& expected) const {
    for (Index row = 0; row < comparison.rows; ++row)
      for (Index column = 0; column < comparison.columns; ++column)
        if (const auto element = look_at<T>({row, column}, comparison.columns, expected, 0, 0);
            element.accepted.undetermined)
          return element;
    return {};
  }

  /// Significant decimal digits that tell any two numbers of T apart.
  template <class T>
  [[nodiscard]] static int digits_of() {
    if constexpr (FloatFormat<T>)
      return 2 + FormatTraits<T>::layout.precision() * 30103 / 100000;
    else
      return 17;
  }
  template <class T>
  [[nodiscard]] bool depends_on_error() const {
    return tolerance_.template interval<T>({1, 0}).upper != tolerance_.template interval<T>({1, 0.5}).upper;
  }

  Reference reference_;
  Model tolerance_;
  std::tuple<Rules...> rules_;
};

/// The criterion for `expected` (see `reference_values`) under a tolerance for each element and rules for the output as
/// a whole, or under rules alone: then an element may be any finite number where one is due.
template <class Expected, class Model, AggregateTolerance... Rules>
requires(!AggregateTolerance<Model>)
    [[nodiscard]] auto criterion(Expected&& expected, const Model& tolerance, const Rules&... rules) {
  auto reference = reference_values(std::forward<Expected>(expected));
  return Criterion<decltype(reference), Model, Rules...>(std::move(reference), tolerance, rules...);
}
template <class Expected, AggregateTolerance... Rules>
requires(sizeof...(Rules) > 0) [[nodiscard]] auto criterion(Expected&& expected, const Rules&... rules) {
  return criterion(std::forward<Expected>(expected), FiniteTolerance{}, rules...);
}

}  // namespace assay::inline v0
