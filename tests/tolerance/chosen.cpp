#include "assay/tolerance/chosen.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string_view>

#include "assay/tolerance/tolerance_named.hpp"
#include "testing/catch.hpp"

using namespace assay;

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
    const double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();
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
