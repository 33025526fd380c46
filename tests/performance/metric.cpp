#include "assay/performance/metric.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("the unit tells which way a metric gets better, or nothing does") {
  for (const char* unit :
       {"s", "ms", "us", "µs", "ns", "min", "J", "Wh", "MiB", "bytes", "cycles", "s/op", "ns/item", "J/token"})
    CHECK(direction_of_unit(unit) == Direction::lower_is_better);
  for (const char* unit :
       {"1/s", "GB/s", "FLOP/s", "tok/s", "TFLOPS", "Hz", "items_per_second", "Gbps", "requests/sec"})
    CHECK(direction_of_unit(unit) == Direction::higher_is_better);
  for (const char* unit : {"", "1", "%", "W", "widgets", "/s", "ps", "s ", "x/y"}) {
    CAPTURE(unit);
    CHECK_FALSE(direction_of_unit(unit));
  }
}

TEST_CASE("units of time are told in seconds") {
  CHECK(seconds_per("ms") == 1e-3);
  CHECK(seconds_per("µs") == seconds_per("μs"));  // U+00B5 and U+03BC
  CHECK(seconds_per("h") == 3600);
  CHECK_FALSE(seconds_per("J"));
  CHECK_FALSE(seconds_per(""));
}

TEST_CASE("a metric is kept if it has a name and samples that are numbers") {
  Metric metric{"seconds", "s", Direction::lower_is_better, {1, 2}, ""};
  CHECK(check_metric(metric));
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e151}) {
    metric.samples[1] = wrong;
    const auto checked = check_metric(metric);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == ErrorKind::invalid);
    CHECK_THAT(checked.error().message, contains("'seconds': sample 2 is"));
  }
  metric.samples = {};
  CHECK_THAT(check_metric(metric).error().message, contains("no samples"));
  metric = {"", "s", Direction::lower_is_better, {1}, ""};
  CHECK_THAT(check_metric(metric).error().message, contains("no name"));
}
