#include "assay/telemetry/counter_change.hpp"

#include <initializer_list>
#include <vector>

#include "testing/catch.hpp"

namespace {

assay::CounterChange change_over(const assay::Sensor& sensor, std::initializer_list<std::uint64_t> counts) {
  std::vector<assay::Reading> readings;
  for (const std::uint64_t count : counts) readings.push_back(assay::Reading::counted(0, 0, count, sensor.scale));
  return assay::counter_change(sensor, readings);
}

}  // namespace

TEST_CASE("counters tell differences, wraps and resets") {
  assay::Sensor sensor{0, assay::Quantity::energy, "", "", 1e-6, {}, false};
  CHECK(!change_over(sensor, {}).complete());
  CHECK(!change_over(sensor, {5}).complete());
  CHECK(change_over(sensor, {1000000, 1000000, 4000000}).amount == assay::testing::Approx(3));
  CHECK(change_over(sensor, {1000000, 1000000, 4000000}).complete());

  // dcgm-exporter#417, amdsmi#115: a counter that falls was set back; what it counted is unknown, and never negative.
  const auto fallen = change_over(sensor, {9000000, 9500000, 100, 1000100});
  CHECK(fallen.resets == 1);
  CHECK(!fallen.complete());
  CHECK(fallen.amount == assay::testing::Approx(1.5));

  sensor.wraps_at = 262143328850;
  const auto wrapped = change_over(sensor, {262143328849, 262143328850, 999999});
  CHECK(wrapped.wraps == 1);
  CHECK(wrapped.complete());
  CHECK(wrapped.counts == 1000000);
  CHECK(change_over(sensor, {200000000000, 100}).wraps == 1);
  CHECK(change_over(sensor, {100000000000, 100}).resets == 1);  // more than half of the range: not in one step
  CHECK(change_over(sensor, {262143328851, 100}).resets == 1);  // it was beyond its range: that is not known

  // 64 bits to the last one, where a double would round.
  sensor.wraps_at.reset();
  CHECK(change_over(sensor, {18446744073709551613u, 18446744073709551615u}).counts == 2);
}

TEST_CASE("readings without a value are passed over") {
  const assay::Sensor sensor{0, assay::Quantity::throttle_count, "", "", 1, {}, false};
  const std::vector<assay::Reading> readings{
      assay::Reading::none(0, 0, assay::ReadingState::failed, "late"), assay::Reading::counted(0, 1, 3),
      assay::Reading::none(0, 2, assay::ReadingState::failed, "late"), assay::Reading::counted(0, 3, 5)};
  const auto change = assay::counter_change(sensor, readings);
  CHECK(change.counts == 2);
  CHECK(change.steps == 1);
}
