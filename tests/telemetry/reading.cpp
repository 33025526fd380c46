#include "assay/telemetry/reading.hpp"

#include <limits>

#include "testing/catch.hpp"

TEST_CASE("a reading has a value, or a state and a reason") {
  const auto gauge = assay::Reading::of(2, 7, 1.5);
  CHECK(gauge.has_value());
  CHECK(gauge.value == 1.5);
  const auto counter = assay::Reading::counted(0, 0, 18446744073709551615u, 1e-3);
  CHECK(counter.count == 18446744073709551615u);
  CHECK(counter.value == assay::testing::Approx(1.8446744073709552e16));
  const auto none = assay::Reading::none(1, 3, assay::ReadingState::lost, "gone");
  CHECK(!none.has_value());
  CHECK(none.value == 0);
  CHECK(none.reason == "gone");
}

TEST_CASE("a number that is not finite is no value") {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(assay::Reading::of(0, 0, value).state == assay::ReadingState::failed);
}

TEST_CASE("states are found by their names") {
  for (const assay::ReadingState state : assay::all_reading_states)
    CHECK(assay::reading_state_named(name_of(state)) == state);
  CHECK(!assay::reading_state_named("N/A"));
}
