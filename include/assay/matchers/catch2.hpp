#pragma once

// Catch2, version 2 or 3: the one that the file has included already, else the newer one that is there.
#if !defined(CATCH_VERSION_MAJOR) && __has_include(<catch2/matchers/catch_matchers_templated.hpp>)
#include <catch2/catch_version_macros.hpp>
#endif
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
#include <catch2/catch_tostring.hpp>
#include <catch2/matchers/catch_matchers_templated.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <ostream>
#include <string>
#include <utility>

#include "assay/matchers/criterion.hpp"

namespace assay::inline v0 {

namespace detail {
#if CATCH_VERSION_MAJOR >= 3
using Catch2Matcher = Catch::Matchers::MatcherGenericBase;
#else
struct Catch2Matcher {};  // version 2 asks for `match` and `toString` only
#endif
}  // namespace detail

inline namespace catch2 {

/// A Catch2 matcher for a `Criterion`, or for its opposite.
template <class Criterion>
class Matches : public detail::Catch2Matcher {
 public:
  /// `opposite`: outputs that the criterion refutes match.
  explicit Matches(Criterion criterion, bool opposite = false)
      : criterion_(std::move(criterion)), opposite_(opposite) {}

  /// Asks the criterion; keeps its explanation for `describe`.
  template <Elements Actual>
  [[nodiscard]] bool match(const Actual& actual) const {
    MatchResult result = criterion_.match(actual);
    explanation_ = std::move(result.explanation);
    return result.matched != opposite_;
  }

  /// What the latest `match` found; before one, what is asked for.
  [[nodiscard]] std::string describe() const {
    const std::string asked = (opposite_ ? "must not match " : "must match ") + criterion_.describe();
    return explanation_.empty() ? asked : asked + ":\n" + explanation_;
  }
  /// For Catch2.
  [[nodiscard]] std::string toString() const {
    return describe();
  }  // Catch2's name; version 3 has one that keeps the first text

  [[nodiscard]] friend Matches operator!(const Matches& matcher) {
    return Matches(matcher.criterion_, !matcher.opposite_);
  }

 private:
  Criterion criterion_;
  bool opposite_;
  mutable std::string explanation_;
};

/// The matcher of `REQUIRE_THAT(actual, matches(expected, tolerance))` and `CHECK_THAT`; `!matches(…)` is its opposite.
/// `criteria` are as in `match`. An expected lvalue is referred to, and must outlive the matcher; a temporary is kept.
template <class Expected, class... Criteria>
[[nodiscard]] auto matches(Expected&& expected, const Criteria&... criteria) {
  return Matches(criterion(std::forward<Expected>(expected), criteria...));
}

}  // namespace catch2
}  // namespace assay::inline v0

/// What a check shows: what was found, not every element of the output, which may have millions.
template <class Actual, class Criterion>
class Catch::MatchExpr<Actual, assay::catch2::Matches<Criterion>> : public Catch::ITransientExpression {
 public:
  /// For Catch2's macros.
  template <class... MatcherText>  // version 2 gives the text of the matcher, too
  MatchExpr(const std::remove_reference_t<Actual>& actual, const assay::catch2::Matches<Criterion>& matcher,
            const MatcherText&...)
      : Catch::ITransientExpression{true, matcher.match(actual)}, matcher_(matcher) {}

  /// For Catch2.
  void streamReconstructedExpression(std::ostream& stream) const override {
    stream << "the output " << matcher_.describe();
  }

 private:
  const assay::catch2::Matches<Criterion>& matcher_;
};
