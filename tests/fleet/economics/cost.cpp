#include "assay/fleet/economics/cost.hpp"

#include <cmath>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

Ownership ownership() {
  return {assumed("capex", 30'000, "$"), assumed("life", 5, "years"), assumed("utilization", 1, "1"),
          assumed("power", 1, "kW"),     assumed("PUE", 1.3, "1"),    assumed("electricity", 0.1, "$/kWh"),
          assumed("staff", 0.2, "$/h")};
}

}  // namespace

TEST_CASE("figures as they were published") {
  const Assumption all = assumed("utilization", 1, "1");
  CHECK(cost_per_million_tokens(assumed("rent", 2, "$/h"), assumed("rate", 1000, "tok/s"), all).value ==
        Approx(0.5556).epsilon(1e-3));
  const Figure tokens = compute_bound_tokens(assumed("peak", 5e15, "FLOP/s"), assumed("efficiency", 0.6, "1"),
                                             assumed("active", 1e12, "1"));
  CHECK(tokens.value == 1500);
  CHECK(cost_per_million_tokens(assumed("rent", 3.2, "$/h"), assumed("rate", tokens.value, "tok/s"), all).value ==
        Approx(0.6).epsilon(0.02));
  CHECK(break_even_hours(ownership(), assumed("rent", 3, "$/h")).value == Approx(11'235.955).epsilon(1e-6));
}

TEST_CASE("owning never pays where rent is below what running costs") {
  CHECK(std::isinf(break_even_hours(ownership(), assumed("rent", 0.33, "$/h")).value));
  const Figure perhaps = break_even_hours(ownership(), {"rent", 1.5, 0.3, 2.7, "$/h", {}});
  CHECK(perhaps.low < perhaps.value);
  CHECK(std::isinf(perhaps.high));
}

TEST_CASE("hours that nothing uses are paid, too") {
  Ownership half = ownership();
  half.utilization = assumed("utilization", 0.5, "1");
  CHECK(owned_cost_per_hour(half).value == Approx(2 * owned_cost_per_hour(ownership()).value));
  CHECK(owned_cost_per_hour(ownership()).value == Approx(30'000 / (5 * 8766.0) + 0.13 + 0.2));
  CHECK(reserved_cost_per_hour(assumed("price", 2, "$/h"), assumed("utilization", 0.5, "1")).value == 4);
}

TEST_CASE("spot capacity costs what interruptions undo") {
  const auto spot = [](double interruptions) {
    return spot_cost_per_hour(assumed("price", 1, "$/h"), assumed("interruptions", interruptions, "1/h"),
                              assumed("checkpoint", 0.5, "h"), assumed("restart", 0.25, "h"));
  };
  CHECK(spot(0).value == 1);
  CHECK(spot(1).value == 2);
  CHECK(std::isinf(spot(3).value));
}

TEST_CASE("energy and carbon count the building") {
  const Assumption rate = assumed("rate", 1300, "tok/s"), kilowatts = assumed("power", 1, "kW"),
                   pue = assumed("PUE", 1.3, "1");
  CHECK(tokens_per_second_per_kilowatt(rate, kilowatts, pue).value == Approx(1000));
  CHECK(tokens_per_joule(rate, kilowatts, pue).value == Approx(1));
  CHECK(
      carbon_per_million_tokens(ownership(), rate, assumed("grid", 400, "g/kWh"), assumed("embodied", 0, "kg")).value ==
      Approx(1.3 * 400 * 1e6 / (3600 * 1300.0)));
  CHECK(carbon_per_million_tokens(ownership(), rate, assumed("grid", 0, "g/kWh"), assumed("embodied", 8766 * 5.0, "kg"))
            .value == Approx(1000 * 1e6 / (3600 * 1300.0)));
}

TEST_CASE("prices have a date and a source") {
  for (const KnownPrice& price : known_prices) {
    CHECK(price.dollars_per_hour > 0);
    CHECK(std::string(price.as_of).size() >= 4);
    CHECK_FALSE(std::string(price.source).empty());
  }
  for (const KnownPue& one : known_pues) CHECK(one.pue >= 1);
}
