#include "assay/performance/unit.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("what ends in the letters of a unit is none") {
  for (const char* unit : {"steps", "hops", "ps", "groups", "maps", "", "1", "%", "W", "/s", "x/y", "/", "a/", "s "}) {
    CAPTURE(unit);
    CHECK_FALSE(unit_meaning(unit));
  }
}

TEST_CASE("what goes wrong gets better by falling, also per second") {
  for (const char* unit : {"drops", "errors", "drops/s", "retries/min", "drops_per_second"}) {
    CAPTURE(unit);
    REQUIRE(unit_meaning(unit));
    CHECK(unit_meaning(unit)->direction == Direction::lower_is_better);
    CHECK(counts_faults(unit));
    CHECK_FALSE(always_takes_some(unit));
  }
  CHECK_FALSE(counts_faults("tok/s"));
}

TEST_CASE("rates and costs have their directions") {
  for (const char* unit :
       {"fps", "ops/ms", "Gbps", "GFLOP/s", "TFLOPS", "steps/s", "requests/sec", "GB/s/W", "tok/s/W"})
    CHECK(unit_meaning(unit)->direction == Direction::higher_is_better);
  for (const char* unit : {"ns/op", "J/token", "B/op", "allocs/op", "cycles/B", "kWh", "usec"})
    CHECK(unit_meaning(unit)->direction == Direction::lower_is_better);
  for (const char* unit : {"s", "ns/op", "J", "cycles", "tok/s"}) CHECK(always_takes_some(unit));
  for (const char* unit : {"B/op", "allocs/op", "MiB", "widgets"}) CHECK_FALSE(always_takes_some(unit));
}

TEST_CASE("units of one quantity are converted, others are not") {
  CHECK(unit_ratio("ms", "s").value() == Approx(1e-3));
  CHECK(unit_ratio("GB/s", "MB/s").value() == Approx(1000));
  CHECK(unit_ratio("GiB/s", "B/s").value() == Approx(1073741824));
  CHECK(unit_ratio("ops/ms", "ops/s").value() == Approx(1000));
  CHECK(unit_ratio("TFLOPS", "GFLOP/s").value() == Approx(1000));
  CHECK(unit_ratio("us/op", "ns/op").value() == Approx(1000));
  CHECK(unit_ratio("widgets", "widgets").value() == 1);
  CHECK_FALSE(unit_ratio("s", "J"));
  CHECK_FALSE(unit_ratio("B/s", "bit/s"));
  CHECK_FALSE(unit_ratio("ns/op", "ns/item"));
  CHECK_FALSE(unit_ratio("widgets", "gadgets"));
}
