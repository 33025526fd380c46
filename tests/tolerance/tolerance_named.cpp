#include "assay/tolerance/tolerance_named.hpp"

#include <string_view>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using Kind = ChosenTolerance::Kind;

namespace {

ChosenTolerance named(std::string_view text) {
  const auto found = tolerance_named(text);
  INFO(text);
  REQUIRE(found);
  return found.value();
}

}  // namespace

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
    CHECK_THAT(refused.error().message,
               contains("allowed: derived, exact, strict, normal, relaxed, ulps=N, atol=X,rtol=Y"));
  }
  CHECK_THAT(tolerance_named("strickt").error().message, contains("nearest: strict"));
  CHECK_THAT(tolerance_named("ulps=3.5").error().message, contains("'ulps=3.5'"));
  CHECK_THAT(tolerance_named("atol=1,rtol=x").error().message, contains("'rtol=x' has no number of 0 or more"));
  CHECK_THAT(tolerance_named("atol=1,foo=2").error().message, contains("unknown part 'foo=2'"));
}
