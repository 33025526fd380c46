#include "assay/report/chart_scale.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("a scale is linear from zero, or logarithmic where decades ask for it") {
  const ChartScale linear = chart_scale({2, 8, nan_value, infinity});
  CHECK_FALSE(linear.logarithmic);
  CHECK(linear.low == 0);
  CHECK(linear.high == 8);
  CHECK(linear.position(4) == 0.5);
  CHECK(linear.position(100) == 1);
  CHECK(linear.value(0.25) == 2);

  const ChartScale decades = chart_scale({1e-6, 0, 1e2});
  CHECK(decades.logarithmic);
  CHECK(decades.position(1e-2) == testing::Approx(0.5));
  CHECK(decades.position(0) == 0);

  CHECK(chart_scale({-1e-6, 1e6}).low == -1e-6);
  CHECK_FALSE(chart_scale({-1e-6, 1e6}).logarithmic);
  CHECK(chart_scale({}).position(1) == 0);
  CHECK(chart_scale({nan_value}).position(nan_value) == 0);
}

TEST_CASE("ticks carry no trailing zeros") {
  CHECK(detail::tick_text(0.5) == "0.5");
  CHECK(detail::tick_text(1.5) == "1.5");
  CHECK(detail::tick_text(20) == "20");
  CHECK(detail::tick_text(1e-5) == "1e-05");
  CHECK(detail::tick_text(1.25e7) == "12500000");
}

TEST_CASE("decades are written as people write them") {
  CHECK(detail::decade_text(0) == "1");
  CHECK(detail::decade_text(3) == "1000");
  CHECK(detail::decade_text(-2) == "0.01");
  CHECK(detail::decade_text(-3) == "10⁻³");
  CHECK(detail::decade_text(12) == "10¹²");
}
