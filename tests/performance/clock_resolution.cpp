#include "assay/performance/clock_resolution.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a clock's step and the time of a reading are found") {
  long reading = 0;
  const auto coarse = [&] {
    return static_cast<double>(reading++ / 40) * 0.5;
  };  // steps by half a second every 40 readings
  const ClockResolution found = clock_resolution(coarse, 4000);
  CHECK(found.resolution_seconds == 0.5);
  CHECK(found.overhead_seconds == Approx(0.5 / 40));
}

TEST_CASE("of steps of several sizes the smallest counts, and steps back do not") {
  const double steps[] = {3, 0.25, 0, -1, 2};
  double now = 0;
  int reading = 0;
  CHECK(clock_resolution([&] { return now += steps[reading++ % 5]; }, 1000).resolution_seconds == 0.25);
}

TEST_CASE("a clock that stands still is told as such") {
  const ClockResolution found = clock_resolution([] { return 7.0; });
  CHECK(found.resolution_seconds == 0);
  CHECK(found.overhead_seconds == 0);
}

TEST_CASE("the monotonic clock moves, by less than a millisecond") {
  const ClockResolution found = clock_resolution();
  CHECK(found.resolution_seconds > 0);
  CHECK(found.resolution_seconds < 1e-3);
  CHECK(found.overhead_seconds > 0);
}
