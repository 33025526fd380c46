#include "assay/telemetry/recording.hpp"

#include "assay/core/misuse.hpp"
#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

using assay::Quantity;

TEST_CASE("devices of several sources stand in one recording") {
  assay::Recording recording;
  const std::vector<assay::TelemetryDevice> one{{"a", "", "", ""}}, two{{"b", "", "", ""}, {"c", "", "", ""}};
  CHECK(recording.add(one, {{0, Quantity::power, "", "", 1, {}, false}}) == 0);
  CHECK(recording.add(two, {{1, Quantity::power, "", "", 1, {}, false}}) == 1);
  CHECK(recording.sensors[1].device == 2);
  CHECK(recording.device("c") == 2);
  CHECK(!recording.device("d"));
  CHECK_THROWS_AS(recording.add(one, {{1, Quantity::power, "", "", 1, {}, false}}), assay::Misuse);
  CHECK_THROWS_AS(recording.add(assay::Reading::of(2, 0, 1)), assay::Misuse);
}

TEST_CASE("a sensor that never told is not preferred") {
  assay::Recording recording;
  recording.add({{"a", "", "", ""}},
                {{0, Quantity::power, "one", "", 1, {}, false}, {0, Quantity::power, "two", "", 1, {}, false}});
  CHECK(recording.sensor_of(0, Quantity::power) == 0);
  recording.add(assay::Reading::none(0, 1, assay::ReadingState::unsupported, "no"));
  recording.add(assay::Reading::of(1, 1, 300));
  CHECK(recording.sensor_of(0, Quantity::power) == 1);
  CHECK(!recording.sensor_of(0, Quantity::energy));
  CHECK(!recording.last_value(0));
  CHECK(recording.last_value(1) == 300);
}

TEST_CASE("a part of a recording keeps limits that were told before") {
  auto simulated = assay::testing::SimulatedRecording(20)
                       .gauge(
                           Quantity::power, "", [](double t) { return t; }, 1)
                       .limit(Quantity::power_limit, 700, "", "enforced");
  const assay::Recording& whole = simulated.recording();
  const assay::Recording part =
      assay::part_of(whole, whole.begin_nanoseconds + 6'000'000'000, whole.begin_nanoseconds + 9'000'000'000);
  CHECK(part.readings[0].size() == 4);
  CHECK(part.readings[0].front().value == 6);
  CHECK(part.readings[1].size() == 1);
  CHECK(part.readings[1].front().value == 700);
  CHECK(part.duration_seconds() == assay::testing::Approx(3));
}
