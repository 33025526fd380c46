#include "assay/tolerance/combine.hpp"

#include <limits>
#include <string>
#include <vector>

#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/exact.hpp"
#include "assay/tolerance/ulps.hpp"
#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::all_values;
using assay::testing::contains;
using assay::testing::NanOnOverflow;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T, class Model>
AcceptanceInterval interval(const Model& model, double value, double error = 0) {
  return model.template interval<T>({value, error});
}

struct NotATolerance {};
template <class Model>
concept HasFloat32Interval = requires(const Model& model) {
  model.template interval<float32>(ExpectedElement{});
};
static_assert(Tolerance<decltype(all_of(ExactTolerance{}, UlpTolerance{1})), float32>);
static_assert(Tolerance<decltype(any_of(ExactTolerance{}, all_of(DerivedTolerance{}, UlpTolerance{1}))), float16>);
static_assert(Tolerance<decltype(scaled(DerivedTolerance{}, 2)), float64>);
static_assert(HasFloat32Interval<AllOf<ExactTolerance, ExactTolerance>> &&
              !HasFloat32Interval<AllOf<ExactTolerance, NotATolerance>>);
static_assert(!HasFloat32Interval<AnyOf<NotATolerance, ExactTolerance>> && !HasFloat32Interval<Scaled<NotATolerance>>);

/// For every value of a format, special ones included: what the combination accepts against what its parts accept.
template <class First, class Second>
void check_truth_tables(First first, Second second) {
  using T = NanOnOverflow;
  std::vector<double> values = all_values<T>();
  values.push_back(not_a_number);
  for (double r : {0.0, 0.3, -0.3, 1.03, 100.0, -440.0, 460.0, 470.0, 500.0, not_a_number, infinity, -infinity})
    for (double error : {0.0, 0.01, 20.0}) {
      const AcceptanceInterval a = interval<T>(first, r, error), b = interval<T>(second, r, error);
      const AcceptanceInterval both = interval<T>(all_of(first, second), r, error),
                               either = interval<T>(any_of(first, second), r, error);
      for (double value : values) {
        if (both.contains(value) != (a.contains(value) && b.contains(value)))
          FAIL("all_of at r = " << r << ", E = " << error << ", out = " << value);
        if (either.contains(value) != (a.contains(value) || b.contains(value)))
          FAIL("any_of at r = " << r << ", E = " << error << ", out = " << value);
      }
    }
}

}  // namespace

TEST_CASE("all_of and any_of accept what both and what either accept, for every value of a format", "[tolerance]") {
  check_truth_tables(ExactTolerance{}, UlpTolerance{2});
  check_truth_tables(DerivedTolerance{}, UlpTolerance{1});
  check_truth_tables(DerivedTolerance{}, AbsoluteRelativeTolerance{0.05, 0.01});
  check_truth_tables(ExactTolerance{},
                     absolute_tolerance(0.001));  // does not contain the rounded reference: may be disjoint
  check_truth_tables(relative_tolerance(0.001), absolute_tolerance(0.1));
  check_truth_tables(all_of(ExactTolerance{}, absolute_tolerance(0.001)), absolute_tolerance(0.001));
  SUCCEED();
}

TEST_CASE("what cannot be determined gives way in all_of and prevails in any_of", "[tolerance]") {
  const DerivedTolerance derived;
  const ExactTolerance exact;
  CHECK_FALSE(interval<float16>(all_of(derived, exact), 1, infinity).undetermined);
  CHECK_FALSE(interval<float16>(all_of(derived, exact), 1, infinity).contains(2));
  CHECK_FALSE(interval<float16>(all_of(exact, derived), 1, infinity).contains(2));
  CHECK(interval<float16>(any_of(derived, exact), 1, infinity).undetermined);
  CHECK(interval<float16>(any_of(exact, derived), 1, infinity).undetermined);
  CHECK(interval<float16>(all_of(derived, derived), 1, infinity).undetermined);
  CHECK(interval<float16>(scaled(derived, 2), 1, infinity).undetermined);
}

TEST_CASE("scaled widens and narrows about the rounded reference", "[tolerance]") {
  const AcceptanceInterval twice = interval<float16>(scaled(UlpTolerance{1}, 2), 2050);
  CHECK(twice.lower == 2046);
  CHECK(twice.upper == 2054);
  const AcceptanceInterval binade = interval<float16>(scaled(UlpTolerance{1}, 4), 2048);
  CHECK(binade.lower == 2044);
  CHECK(binade.upper == 2056);
  CHECK(interval<float16>(scaled(UlpTolerance{8}, 0), 2049).lower == 2048);
  CHECK(interval<float16>(scaled(UlpTolerance{8}, 0), 2049).upper == 2048);
  CHECK(interval<float64>(scaled(absolute_tolerance(1), 0.5), 10).upper == 10.5);
  CHECK(interval<float16>(scaled(UlpTolerance{1}, 1), 2049).upper == interval<float16>(UlpTolerance{1}, 2049).upper);
}

TEST_CASE("scaled keeps what the model accepted, wherever its interval lies", "[tolerance]") {
  // the rounded reference 1 lies outside [1.002, 1.004]: the center is then the reference
  const AcceptanceInterval wide = interval<bfloat16>(scaled(absolute_tolerance(0.001), 10), 1.003);
  CHECK(wide.contains(1.003));
  CHECK(wide.contains(1));
  CHECK(wide.upper < 1.0131);
  for (double factor : {1.0, 1.5, 10.0})
    for (double r : {0.0, 0.3, -7.7, 440.0, 460.0, 470.0, -470.0, 500.0})
      for (double error : {0.0, 0.01, 30.0}) {
        const DerivedTolerance derived;
        const AcceptanceInterval narrow = interval<NanOnOverflow>(derived, r, error),
                                 widened = interval<NanOnOverflow>(scaled(derived, factor), r, error);
        for (double value : all_values<NanOnOverflow>())
          if (narrow.contains(value) && !widened.contains(value))
            FAIL("r = " << r << ", E = " << error << ", factor " << factor << ": lost " << value);
        CHECK(narrow.contains(not_a_number) == widened.contains(not_a_number));
      }
}

TEST_CASE("scaled leaves infinities, NaN and overflow as they are", "[tolerance]") {
  const auto accepts = [](double r, double error, double value) {
    return interval<float16>(scaled(DerivedTolerance{}, 3), r, error).contains(value);
  };
  CHECK(accepts(not_a_number, 0, not_a_number));
  CHECK_FALSE(accepts(not_a_number, 0, 0));
  CHECK(accepts(infinity, 0, infinity));
  CHECK_FALSE(accepts(infinity, 0, 65504));
  CHECK(accepts(65521, 2, infinity));  // the rounded reference is infinite, the lower end is not
  CHECK(accepts(65521, 2, 65504));
  CHECK(accepts(65519, 2, infinity));
  CHECK_FALSE(accepts(65000, 2, infinity));
  CHECK_FALSE(interval<float64>(scaled(absolute_tolerance(1e308), 10), 1e308).contains(infinity));
  CHECK(interval<float64>(scaled(absolute_tolerance(1e308), 10), 1e308).contains(-1e308));
}

TEST_CASE("combinations describe their parts", "[tolerance]") {
  const std::string text =
      any_of(scaled(ExactTolerance{}, 2.5), all_of(UlpTolerance{3}, DerivedTolerance{})).describe();
  CHECK_THAT(text, contains("any of (2.5 times ("));
  CHECK_THAT(text, contains("all of ("));
  CHECK_THAT(text, contains(UlpTolerance{3}.describe()));
  CHECK_THAT(text, contains(ExactTolerance{}.describe()));
}
