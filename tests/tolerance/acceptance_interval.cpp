#include "assay/tolerance/acceptance_interval.hpp"

#include <cmath>
#include <limits>

#include "testing/catch.hpp"

using assay::AcceptanceInterval;
using assay::error_over_interval;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("an acceptance interval contains its ends, and NaN only where it says so", "[tolerance]") {
  constexpr AcceptanceInterval interval{-1, 2, false, false};
  static_assert(interval.contains(-1) && interval.contains(2) && interval.contains(0) && interval.contains(-0.0));
  CHECK_FALSE(interval.contains(std::nextafter(-1.0, -2.0)));
  CHECK_FALSE(interval.contains(std::nextafter(2.0, 3.0)));
  CHECK_FALSE(interval.contains(infinity));
  CHECK_FALSE(interval.contains(-infinity));
  CHECK_FALSE(interval.contains(not_a_number));
  CHECK((AcceptanceInterval{-1, 2, true, false}).contains(not_a_number));
  CHECK((AcceptanceInterval{5, infinity, false, false}).contains(infinity));
  CHECK_FALSE((AcceptanceInterval{5, infinity, false, false}).contains(-infinity));
  CHECK((AcceptanceInterval{0, 0, false, false}).contains(-0.0));
}

TEST_CASE("only_nan contains no number", "[tolerance]") {
  const AcceptanceInterval interval = AcceptanceInterval::only_nan();
  for (double number : {0.0, 1.0, -1.0, infinity, -infinity, std::numeric_limits<double>::max()})
    CHECK_FALSE(interval.contains(number));
  CHECK(interval.contains(not_a_number));
  CHECK(interval.contains(-not_a_number));
  CHECK_FALSE(interval.undetermined);
}

TEST_CASE("nothing_known refutes nothing and says so", "[tolerance]") {
  const AcceptanceInterval interval = AcceptanceInterval::nothing_known();
  CHECK(interval.undetermined);
  for (double value : {0.0, 1.0, infinity, -infinity, not_a_number}) CHECK(interval.contains(value));
}

TEST_CASE("error over the interval is the error over what is allowed on its side", "[tolerance]") {
  constexpr AcceptanceInterval interval{8, 14, false, false};
  static_assert(error_over_interval(10, 10, interval) == 0);
  static_assert(error_over_interval(12, 10, interval) == 0.5);
  static_assert(error_over_interval(9, 10, interval) == 0.5);
  static_assert(error_over_interval(14, 10, interval) == 1);
  static_assert(error_over_interval(18, 10, interval) == 2);
  static_assert(error_over_interval(4, 10, interval) == 3);
  CHECK(error_over_interval(11, 10, {10, 10, false, false}) == infinity);
  CHECK(error_over_interval(11, 10, {8, infinity, false, false}) == 0);
  CHECK(error_over_interval(11, 10, AcceptanceInterval::only_nan()) == infinity);
}
