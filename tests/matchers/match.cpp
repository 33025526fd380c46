#include "assay/matchers/match.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "assay/formats/nf4.hpp"
#include "assay/formats/small_float.hpp"
#include "assay/tolerance/combine.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

/// e2m3: every pattern is a finite number.
using Narrow = SmallFloat<FloatLayout{2, 3, 1, SpecialValues::none}>;
template <>
struct assay::FormatTraits<Narrow>
    : FloatFormatTraits<Narrow, std::uint8_t, FloatLayout{2, 3, 1, SpecialValues::none}> {
  static constexpr const char* name() { return "e2m3"; }
};

namespace {

struct Undecided {
  template <Format T>
  AcceptanceInterval interval(ExpectedElement) const {
    return AcceptanceInterval::nothing_known();
  }
  std::string describe() const { return "says nothing"; }
};

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> counting(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i) + 1;
  return values;
}

template <class T>
std::vector<T> stored(const std::vector<double>& values) {
  std::vector<T> elements;
  for (const double value : values) elements.push_back(encode<T>(value));
  return elements;
}

}  // namespace

TEMPLATE_TEST_CASE("one wrong element is found under every model, and the right output accepted", "", float, double,
                   float16, bfloat16) {
  const std::vector<double> expected = counting(12);
  const std::vector<double> bounds(12, 1e-6);
  std::vector<TestType> actual = stored<TestType>(expected);
  const auto all_match = [&] {
    return std::vector<bool>{match(actual, expected, ExactTolerance{}).matched,
                             match(actual, expected, UlpTolerance{2}).matched,
                             match(actual, expected, relative_tolerance(1e-3)).matched,
                             match(actual, expected, preset_tolerance<TestType>(Preset::strict)).matched,
                             match(actual, expected, tolerance_named("normal").value()).matched,
                             match(actual, expected, any_of(UlpTolerance{1}, absolute_tolerance(1e-3))).matched,
                             match(actual, expected, scaled(UlpTolerance{1}, 2)).matched,
                             match(actual, std::pair{expected, bounds}, DerivedTolerance{}).matched,
                             match(actual, std::pair{expected, bounds}, ChosenTolerance{}).matched,
                             match(actual, expected, NormwiseTolerance{1e-3}).matched,
                             match(actual, expected, UlpTolerance{2}, NormwiseTolerance{1e-3}).matched};
  };
  CHECK(all_match() == std::vector<bool>(11, true));
  actual[7] = encode<TestType>(9.0);
  CHECK(all_match() == std::vector<bool>(11, false));
}

TEST_CASE("a failure says how many, where, by how much, and under which tolerance") {
  const std::vector<double> expected = counting(12);
  float actual[3][4] = {{1, 2, 3, 4}, {5, 6, 7.5f, 8}, {9, 10, 11, 12}};
  actual[2][0] = 9.000004f;
  const MatchResult found = match(actual, expected, UlpTolerance{2});
  CHECK_FALSE(found);
  CHECK(found.explanation ==
        "2 of 12 elements lie outside their acceptance interval (3 x 4 of f32)\n"
        "worst at [1, 2]: actual 7.5, expected 7\n"
        "  accepted: 6.9999990463 to 7.0000009537\n"
        "  error: 0.5 = 1.05e+06 ulp, 5.24e+05 times the allowed error\n"
        "  also [2, 0]: actual 9.00000381, expected 9; 2 times the allowed error\n"
        "tolerance: ulps: accept within 2 units in the last place of the rounded reference");
}

TEST_CASE("a match says how near it was") {
  const float actual[] = {1, 2, 3.0000002f};
  const MatchResult found = match(actual, counting(3), UlpTolerance{2});
  CHECK(found.matched);
  CHECK(
      found.explanation ==
      "all 3 elements lie in their acceptance interval (3 of f32); the worst, at [2], takes 0.5 of the allowed error\n"
      "tolerance: ulps: accept within 2 units in the last place of the rounded reference");
  CHECK_THAT(match(std::vector{1.0}, std::vector{1.0}, ExactTolerance{}).explanation,
             contains("1 element lies in its"));
}

TEST_CASE("a wrong element is found at every index of a strided output, and named in all dimensions") {
  const Index extents[] = {2, 3, 2, 2};
  const std::vector<double> expected = counting(24);
  for (Index wrong = 0; wrong < 24; ++wrong) {
    std::vector<float> storage(200, -1);
    const StridedView<float, 4> actual{storage.data(), {2, 3, 2, 2}, {100, 30, 10, 2}};
    std::string index;
    for (Index i = 0; i < 24; ++i) {
      const Index place[] = {i / 12, i / 4 % extents[1], i / 2 % 2, i % 2};
      actual(place[0], place[1], place[2], place[3]) = i == wrong ? 0 : static_cast<float>(i + 1);
      if (i == wrong)
        index = "[" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + ", " + std::to_string(place[2]) +
                ", " + std::to_string(place[3]) + "]";
    }
    const MatchResult found = match(actual, expected, relative_tolerance(1e-3));
    CHECK_FALSE(found);
    CHECK_THAT(found.explanation,
               contains("worst at " + index + ": actual 0, expected " + std::to_string(wrong + 1) + "\n"));
    CHECK_THAT(found.explanation,
               contains("1 of 24 elements lies outside its acceptance interval (2 x 3 x 2 x 2 of f32)"));
    if (wrong > 0) continue;
    const StridedView<const double, 4> shaped{
        expected.data(), {2, 3, 2, 2}, {12, 4, 2, 1}};  // a flat output of a shaped reference
    std::vector<double> flat = expected;
    flat[17] = 0;
    CHECK_THAT(match(flat, shaped, ExactTolerance{}).explanation, contains("worst at [1, 1, 0, 1]: "));
  }
}

TEST_CASE("NaN passes only where NaN is expected, whatever the tolerance") {
  const double nan = NAN;
  const std::vector<double> expected{1, nan, 3}, right{1, nan, 3};
  const auto check = [&](const auto&... tolerance) {
    CHECK(match(right, expected, tolerance...).matched);
    const MatchResult unexpected = match(std::vector<double>{nan, nan, 3}, expected, tolerance...);
    CHECK_FALSE(unexpected.matched);
    CHECK_THAT(unexpected.explanation, contains("worst at [0]: actual NaN, expected 1"));
    CHECK_THAT(unexpected.explanation, contains("\n1 element is NaN where a number is due\n"));
    const MatchResult missing = match(std::vector<double>{1, 2, 3}, expected, tolerance...);
    CHECK_FALSE(missing.matched);
    CHECK_THAT(missing.explanation, contains("accepted: NaN only"));
    CHECK_THAT(missing.explanation, contains("\n1 element is a number where NaN is due\n"));
  };
  check(ExactTolerance{});
  check(UlpTolerance{1000});
  check(AbsoluteRelativeTolerance{1e300, 1e300});
  check(DerivedTolerance{});
  check(NormwiseTolerance{1e300});
}

TEST_CASE("infinities are told apart") {
  const std::vector<double> expected{1, infinity, -infinity};
  CHECK(match(std::vector<double>{1, infinity, -infinity}, expected, UlpTolerance{1}).matched);
  const MatchResult found = match(std::vector<double>{infinity, 2, infinity}, expected, NormwiseTolerance{1});
  CHECK_FALSE(found.matched);
  CHECK_THAT(found.explanation,
             contains("2 elements are infinite where a finite number, or the other infinity, is due"));
  CHECK_THAT(found.explanation, contains("1 element is finite where an infinity is due"));
}

TEST_CASE("other extents are a mismatch that is named; a flat side is taken row by row") {
  const std::vector<double> expected = counting(12);
  const float actual[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  CHECK(match(actual, expected, ExactTolerance{}).matched);
  CHECK(match(expected, actual, ExactTolerance{}).matched);
  const auto refused = [](const MatchResult& found, const std::string& text) {
    CHECK_FALSE(found.matched);
    CHECK(found.explanation == text);
  };
  refused(match(actual, counting(11), ExactTolerance{}),
          "the extents differ: the output has 3 x 4 elements of f32, expected are 11");
  refused(match(actual, contiguous_view<const double, 2>(expected.data(), {4, 3}), ExactTolerance{}),
          "the extents differ: the output has 3 x 4 elements of f32, expected are 4 x 3");
  refused(match(actual, contiguous_view<const double, 3>(expected.data(), {1, 3, 4}), ExactTolerance{}),
          "the extents differ: the output has 3 x 4 elements of f32, expected are 1 x 3 x 4");
  refused(match(actual, std::pair{expected, counting(5)}, DerivedTolerance{}),
          "the extents of the reference differ: 12 expected values, 5 error bounds");
  refused(match(std::vector<float>{}, expected, ExactTolerance{}),
          "the extents differ: the output has 0 elements of f32, expected are 12");
  refused(match(expected, std::vector<float>{}, ExactTolerance{}),
          "the extents differ: the output has 12 elements of f64, expected are 0");
}

TEST_CASE("empty matches empty, and says that nothing was compared") {
  const MatchResult found = match(std::vector<float>{}, std::vector<double>{}, ExactTolerance{});
  CHECK(found.matched);
  CHECK(found.explanation == "empty, as expected (0 elements of f32): nothing was compared");
  const StridedView<float, 2> rows{nullptr, {0, 4}, {4, 1}}, columns{nullptr, {4, 0}, {0, 1}};
  CHECK(match(rows, rows, ExactTolerance{}).matched);
  CHECK_FALSE(match(rows, columns, ExactTolerance{}).matched);
}

TEST_CASE("an undetermined element is no match, and its reason is given") {
  const std::vector<double> values = counting(4);
  const auto check = [&](const std::vector<double>& expected, std::vector<double> bounds, const auto& actual,
                         const std::string& reason) {
    const MatchResult found = match(actual, with_error_bounds(expected, bounds), DerivedTolerance{});
    CHECK_FALSE(found.matched);
    CHECK_THAT(found.explanation, contains("nothing is refuted, but not everything is decided"));
    CHECK_THAT(found.explanation, contains(reason));
  };
  check(values, {0, 0, infinity, infinity}, values,
        "2 of 4 elements are undetermined, the first at [2]: its error bound E is infinite: no bound on a correct "
        "kernel's error holds");
  check(values, {0, NAN, 0, 0}, values, "1 of 4 elements is undetermined, the first at [1]: its error bound E is NaN");
  check({1, NAN, 3, 4}, {0, 0, 0, 0}, stored<Narrow>(values),
        "undetermined, the first at [1]: NaN is expected, which e2m3 does not have");
  CHECK_THAT(match(values, values, Undecided{}).explanation,
             contains("4 of 4 elements are undetermined, the first at [0]: the tolerance does not decide it"));
  CHECK_FALSE(match(values, values, Undecided{}).matched);
  const MatchResult both = match(std::vector<double>{1, 2, 3, 5},
                                 with_error_bounds(values, std::vector<double>{infinity, 0, 0, 0}), DerivedTolerance{});
  CHECK_FALSE(both.matched);
  CHECK_THAT(both.explanation, contains("1 of 4 elements lies outside") && contains("worst at [3]: actual 5") &&
                                   contains("undetermined, the first at [0]"));
}

TEST_CASE("the derived tolerance uses E per element, and says where there is none") {
  const std::vector<double> expected = counting(3), bounds{0.01, 0, 0.01};
  const std::vector<double> near{1.009, 2, 2.991};
  CHECK(match(near, with_error_bounds(expected, bounds), DerivedTolerance{}).matched);
  const MatchResult beyond =
      match(std::vector<double>{1.005, 2.005, 3}, with_error_bounds(expected, bounds), DerivedTolerance{});
  CHECK_FALSE(beyond.matched);
  CHECK_THAT(beyond.explanation, contains("1 of 3 elements lies") && contains("accepted: 2 only, with E = 0\n") &&
                                     contains("where none is allowed"));
  CHECK_THAT(beyond.explanation, !contains("no error bounds E"));
  const MatchResult without = match(near, expected, DerivedTolerance{});
  CHECK_FALSE(without.matched);
  CHECK_THAT(without.explanation, contains("no error bounds E came with the expected values") &&
                                      contains("with_error_bounds(values, bounds)"));
  CHECK_THAT(match(near, expected, ChosenTolerance{}).explanation, contains("no error bounds E came"));
  CHECK_THAT(match(near, expected, UlpTolerance{1}).explanation, !contains("no error bounds E"));
}

TEST_CASE("a negative error bound is no match, and named") {
  const std::vector<double> expected = counting(6);
  const MatchResult found =
      match(shaped(expected, {2, 3}), std::pair{shaped(expected, {2, 3}), std::vector<float>{0, 0, 0, 0, -1, -2}},
            DerivedTolerance{});
  CHECK_FALSE(found.matched);
  CHECK(found.explanation == "the error bound at [1, 1] is -1; bounds are 0 or more");
}

TEST_CASE("a rule judges the output as a whole, beside a tolerance or alone") {
  const std::vector<double> expected = counting(4);
  const std::vector<double> biased{1.01, 2.02, 3.03, 4.04};
  CHECK(match(biased, expected, NormwiseTolerance{0.02}).matched);
  const MatchResult found = match(biased, expected, relative_tolerance(0.02), NormwiseTolerance{0.001});
  CHECK_FALSE(found.matched);
  CHECK_THAT(found.explanation, contains("all 4 elements lie in their acceptance interval") &&
                                    contains("but the output as a whole is refuted") &&
                                    contains("as a whole: ‖out − r‖₂ = ") && contains(": refuted"));
  const MatchResult element = match(biased, expected, relative_tolerance(0.001), NormwiseTolerance{0.02});
  CHECK_FALSE(element.matched);
  CHECK_THAT(element.explanation,
             contains("4 of 4 elements lie outside") && contains("as a whole: ") && !contains(": refuted"));
}

TEST_CASE("at most five places are shown, the worst first") {
  std::vector<double> actual = counting(20);
  for (std::size_t i = 0; i < 9; ++i) actual[i] += 0.1 * static_cast<double>(i + 1);
  const MatchResult found = match(actual, counting(20), absolute_tolerance(0.01));
  CHECK_THAT(found.explanation, contains("9 of 20") && contains("worst at [8]") && contains("also [7]") &&
                                    contains("also [4]") && !contains("also [3]"));
}

TEST_CASE("an output that threads share is compared in full") {
  const std::size_t count = (std::size_t{1} << 20) + 3;
  std::vector<float> actual(count, 1);
  const std::vector<float> expected(count, 1);
  CHECK(match(actual, expected, ExactTolerance{}).matched);
  actual[0] = 3;
  actual[count - 1] = 2;
  const MatchResult found = match(actual, expected, ExactTolerance{});
  CHECK_FALSE(found.matched);
  CHECK_THAT(found.explanation,
             contains("2 of 1048579 elements") && contains("[0]: actual 3") && contains("[1048578]: actual 2"));
}

TEST_CASE("a view that cannot be walked is misuse") {
  const StridedView<float, 1> null{nullptr, {3}, {1}}, negative{nullptr, {-3}, {1}};
  CHECK_THROWS_AS(match(null, counting(3), ExactTolerance{}), Misuse);
  CHECK_THROWS_AS(match(counting(3), null, ExactTolerance{}), Misuse);
  CHECK_THROWS_AS(match(negative, negative, ExactTolerance{}), Misuse);
}

TEST_CASE("formats without a layout are matched, with their gaps as units in the last place") {
  std::vector<nf4> actual;
  std::vector<double> expected;
  for (int i = -20; i <= 20; ++i) {
    expected.push_back(i * 0.049);
    actual.push_back(nf4(expected.back()));
  }
  CHECK(match(actual, expected, DerivedTolerance{}));
  actual[7] = nf4::from_bits(static_cast<std::uint8_t>(actual[7].bits + 1));
  const MatchResult found = match(actual, expected, DerivedTolerance{});
  CHECK_FALSE(found);
  CHECK_THAT(found.explanation, contains("1 of 41"));
  CHECK_THAT(found.explanation, contains("[7]"));
}
