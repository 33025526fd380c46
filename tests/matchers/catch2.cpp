// What a user's test file includes, in the user's order.
#include "testing/catch.hpp"

#include "assay/matchers/catch2.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "assay/formats/small_float.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "assay/tolerance/ulps.hpp"

using assay::matches;
using assay::testing::contains;

namespace {

/// What a check shows under "with expansion".
template <class Actual, class Matcher>
std::string expansion(const Actual& actual, const Matcher& matcher, bool result) {
  const Catch::MatchExpr<Actual, Matcher> expression(actual, matcher);
  CHECK(expression.getResult() == result);
  std::ostringstream text;
  expression.streamReconstructedExpression(text);
  return text.str();
}

const std::vector<double> expected{1, 2, 3, 4, 5, 6};
const float right[2][3] = {{1, 2, 3}, {4, 5, 6}};
const float wrong[2][3] = {{1, 2, 3}, {4, 5.5f, 6}};

}  // namespace

TEST_CASE("outputs of every kind are checked") {
  REQUIRE_THAT(right, matches(expected, assay::UlpTolerance{1}));
  CHECK_THAT(std::vector<float>({1, 2, 3, 4, 5, 6}), matches(right, assay::ExactTolerance{}));
  CHECK_THAT((assay::contiguous_view<const float, 2>(right[0], {2, 3})),
             matches(expected, assay::tolerance_named("ulps=2").value()));
  CHECK_THAT(std::vector<assay::bfloat16>(2, assay::bfloat16(3)),
             matches(std::pair{std::vector{3.001, 2.998}, std::vector{0.01, 0.01}}, assay::DerivedTolerance{}));
  CHECK_THAT(right, matches(expected, assay::UlpTolerance{1}, assay::NormwiseTolerance{1e-6}));
  CHECK_THAT(wrong, !matches(expected, assay::UlpTolerance{1}));
  CHECK_THAT(right, !!matches(expected, assay::UlpTolerance{1}));
}

TEST_CASE("a check of a wrong output fails", "[!shouldfail]") {
  CHECK_THAT(wrong, matches(expected, assay::UlpTolerance{1}));
}
TEST_CASE("a check that a right output is wrong fails", "[!shouldfail]") {
  CHECK_THAT(right, !matches(expected, assay::UlpTolerance{1}));
}
TEST_CASE("a check of an output of another size fails", "[!shouldfail]") {
  CHECK_THAT(std::vector<float>(5), matches(expected, assay::UlpTolerance{1}));
}

TEST_CASE("a failing check shows the explanation, not the output") {
  CHECK(expansion(wrong, matches(expected, assay::UlpTolerance{1}), false) ==
        "the output must match the 6 expected values:\n"
        "1 of 6 elements lies outside its acceptance interval (2 x 3 of f32)\n"
        "worst at [1, 1]: actual 5.5, expected 5\n"
        "  accepted: 4.9999995232 to 5.0000004768\n"
        "  error: 0.5 = 1.05e+06 ulp, 1.05e+06 times the allowed error\n"
        "tolerance: ulps: accept within 1 units in the last place of the rounded reference");
  const std::vector<float> many(100000, 1.5f);
  CHECK(expansion(many, matches(std::vector<float>(100000, 1), assay::UlpTolerance{1}), false).size() < 800);
  CHECK_THAT(expansion(right, !matches(expected, assay::UlpTolerance{1}), false),
             contains("the output must not match the 6 expected values:\nall 6 elements lie in"));
  CHECK_THAT(expansion(std::vector<float>(5), matches(expected, assay::UlpTolerance{1}), false),
             contains("the extents differ: the output has 5 elements of f32, expected are 6"));
}

TEST_CASE("a passing check shows how near it was") {
  CHECK_THAT(expansion(right, matches(expected, assay::UlpTolerance{1}), true),
             contains("all 6 elements lie in their acceptance interval"));
}

TEST_CASE("a matcher may be kept and used again, and describes its latest use") {
  const auto matcher = matches(std::vector{1.0, 2.0}, assay::ExactTolerance{});
  CHECK(matcher.describe() == "must match the 2 expected values");
  CHECK((!matcher).describe() == "must not match the 2 expected values");
  CHECK_FALSE(matcher.match(std::vector{1.0, 2.5}));
  CHECK_THAT(matcher.describe(), contains("worst at [1]: actual 2.5"));
  CHECK_FALSE(matcher.match(std::vector{1.5, 2.0}));
  CHECK_THAT(matcher.toString(), contains("worst at [0]: actual 1.5"));
  CHECK(matcher.match(std::vector{1.0, 2.0}));
  CHECK_THAT(matcher.toString(), contains("all 2 elements lie in"));
  CHECK_FALSE((!matcher).match(std::vector{1.0, 2.0}));
}

#if CATCH_VERSION_MAJOR >= 3
TEST_CASE("it combines with other matchers") {
  CHECK_THAT(right, matches(expected, assay::UlpTolerance{1}) && !matches(wrong, assay::UlpTolerance{1}));
  CHECK_THAT(std::vector<float>(6), matches(expected, assay::UlpTolerance{1}) || Catch::Matchers::SizeIs(6));
}
#endif
