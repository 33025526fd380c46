#include "assay/tolerance/chosen.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using Kind = ChosenTolerance::Kind;

namespace {

static_assert(Tolerance<ChosenTolerance, float64> && Tolerance<ChosenTolerance, bfloat16>);

ChosenTolerance named(std::string_view text) {
  const auto found = tolerance_named(text);
  INFO(text);
  REQUIRE(found);
  return found.value();
}

template <class T, class Model>
void check_same(const ChosenTolerance& chosen, const Model& model) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 500; ++i) {
    const double infinity = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();
    const double values[] = {unit(random) * 100, unit(random) * 1e5, infinity, -infinity, not_a_number};
    const ExpectedElement expected{values[i % 5], i % 7 == 0 ? infinity : std::fabs(unit(random))};
    const AcceptanceInterval a = chosen.interval<T>(expected), b = model.template interval<T>(expected);
    REQUIRE(a.lower == b.lower);
    REQUIRE(a.upper == b.upper);
    REQUIRE(a.nan_accepted == b.nan_accepted);
    REQUIRE(a.undetermined == b.undetermined);
    if (a.undetermined || !is_finite(expected.value)) continue;
    const T out = encode<T>(expected.value * (1 + 0.01 * unit(random)));
    if (!is_finite(out)) continue;
    if constexpr (requires { model.error_ratio(out, expected); }) {
      REQUIRE(chosen.error_ratio(out, expected) == model.error_ratio(out, expected));
    } else {
      REQUIRE(chosen.error_ratio(out, expected) == error_over_interval(decode(out), expected.value, b));
    }
  }
}

}  // namespace

TEST_CASE("a chosen tolerance is the model that its name says", "[tolerance]") {
  check_same<float16>(named("derived"), DerivedTolerance{});
  check_same<float16>(ChosenTolerance{}, DerivedTolerance{});
  check_same<float32>(named("exact"), ExactTolerance{});
  check_same<bfloat16>(named("ulps=3"), UlpTolerance{3});
  check_same<float32>(named("ulps=0"), UlpTolerance{0});
  check_same<float16>(named("strict"), preset_tolerance<float16>(Preset::strict));
  check_same<float32>(named("normal"), preset_tolerance<float32>(Preset::normal));
  check_same<bfloat16>(named("relaxed"), preset_tolerance<bfloat16>(Preset::relaxed));
  check_same<float64>(named("atol=0.25,rtol=1e-3"), AbsoluteRelativeTolerance{0.25, 1e-3});
}

TEST_CASE("a chosen tolerance describes the model", "[tolerance]") {
  CHECK(named("derived").describe() == DerivedTolerance{}.describe());
  CHECK(named("exact").describe() == ExactTolerance{}.describe());
  CHECK(named("ulps=12").describe() == UlpTolerance{12}.describe());
  CHECK(named("atol=1,rtol=2").describe() == (AbsoluteRelativeTolerance{1, 2}.describe()));
  CHECK(named("strict").describe() == "preset: strict");
  CHECK(named("normal").describe() == "preset: normal");
  CHECK(named("relaxed").describe() == "preset: relaxed");
}

TEST_CASE("tolerances are read with their numbers, in any order", "[tolerance]") {
  CHECK(named("ulps=65536").ulps == 65536);
  CHECK(named("ulps=1e3").ulps == 1000);
  CHECK(named("atol=1e-5").absolute == 1e-5);
  CHECK(named("atol=1e-5").relative == 0);
  CHECK(named("atol=1e-5").kind == Kind::absolute_relative);
  CHECK(named("rtol=.5").relative == 0.5);
  CHECK(named("rtol=.5").absolute == 0);
  CHECK(named("rtol=2,atol=1").absolute == 1);
  CHECK(named("rtol=2,atol=1").relative == 2);
  CHECK(named("atol=0,rtol=0").kind == Kind::absolute_relative);
}

TEST_CASE("every malformed tolerance is refused with what was given and what is allowed", "[tolerance]") {
  using namespace std::string_view_literals;
  for (std::string_view text : {""sv,
                                " "sv,
                                "Derived"sv,
                                "derived "sv,
                                "exactly"sv,
                                "default"sv,
                                "ulps"sv,
                                "atol"sv,
                                "1e-3"sv,
                                "="sv,
                                "=1"sv,
                                "ulps="sv,
                                "ulps=-1"sv,
                                "ulps=1.5"sv,
                                "ulps=65537"sv,
                                "ulps=1e99"sv,
                                "ulps=x"sv,
                                "ulps=3x"sv,
                                "ulps= 3"sv,
                                "ulps=+3"sv,
                                "ulps=0x3"sv,
                                "ulps==3"sv,
                                "ulp=3"sv,
                                "atol="sv,
                                "atol=-1"sv,
                                "atol=-0"sv,
                                "atol=nan"sv,
                                "atol=inf"sv,
                                "atol=1e999"sv,
                                "atol=infinity"sv,
                                "atol=1e"sv,
                                "atol=."sv,
                                "atol=1.2.3"sv,
                                "atol=1,"sv,
                                ",atol=1"sv,
                                "atol=1,,rtol=1"sv,
                                "atol=1 ,rtol=1"sv,
                                "atol=1, rtol=1"sv,
                                "atol=1;rtol=1"sv,
                                "atol=1,atol=2"sv,
                                "rtol=1,rtol=1"sv,
                                "ulps=1,ulps=2"sv,
                                "ulps=1,atol=1"sv,
                                "rtol=1,ulps=1"sv,
                                "atol=1,derived"sv,
                                "derived,atol=1"sv,
                                "derived=1"sv,
                                "atol=1\0"sv,
                                "atol=1\0x"sv,
                                "ATOL=1"sv}) {
    INFO("'" << text << "'");
    const auto refused = tolerance_named(text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::invalid);
    CHECK_THAT(refused.error().message, contains("allowed: derived, exact, strict, normal, relaxed, ulps=N, atol=X,rtol=Y"));
  }
  CHECK_THAT(tolerance_named("strickt").error().message, contains("nearest: strict"));
  CHECK_THAT(tolerance_named("ulps=3.5").error().message, contains("'ulps=3.5'"));
  CHECK_THAT(tolerance_named("atol=1,rtol=x").error().message, contains("'rtol=x' has no number of 0 or more"));
  CHECK_THAT(tolerance_named("atol=1,foo=2").error().message, contains("unknown part 'foo=2'"));
}
