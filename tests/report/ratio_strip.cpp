#include "assay/report/ratio_strip.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("a ratio axis reaches the decade above the largest value, within limits") {
  CHECK(ratio_axis({}).last_decade == 1);
  CHECK(ratio_axis({0.1, 0.9}).last_decade == 1);
  CHECK(ratio_axis({0.1, 585, infinity, nan_value}).last_decade == 3);
  CHECK(ratio_axis({1e30}).last_decade == 6);
}

TEST_CASE("every value has a bin, in rising order, and 1 is the last below the line") {
  const RatioAxis axis = ratio_axis({100});
  CHECK(axis.bin(0) == 0);
  CHECK(axis.bin(1e-9) == 0);
  CHECK(axis.bin(0.001) == 0);
  CHECK(axis.bin(1) == 12);
  CHECK(axis.bin(1.0001) == 13);
  CHECK(axis.bin(1e9) == axis.bins() - 1);
  CHECK(axis.bin(infinity) == axis.bins() - 1);
  CHECK(axis.bin(nan_value) == axis.bins() - 1);
  CHECK(axis.position(0) * static_cast<double>(axis.bins()) == testing::Approx(13));  // the line stands behind bin 12
}

TEST_CASE("a strip tells what it shows, and colors what lies above 1") {
  const RatioAxis axis = ratio_axis({40});
  const std::string svg = ratio_strip_svg({0.5, 0.2, 40, 0.3, nan_value}, axis);
  CHECK_THAT(svg, contains("5 cases: median 0.500, largest NaN, 2 above 1"));
  CHECK_THAT(svg, contains("class=\"above\""));
  CHECK_THAT(svg, contains("class=\"one\""));
  const std::string passed = ratio_strip_svg({1}, axis);
  CHECK_THAT(passed, contains("1 case: median 1, largest 1, 0 above 1"));
  CHECK(passed.find("class=\"above\"") == std::string::npos);
  CHECK(ratio_strip_svg({}, axis).empty());
  CHECK(ratio_strip_svg(std::vector<double>(100'000, 0.1), axis).size() < 1000);
}

TEST_CASE("the labels of an axis stand where its decades are") {
  const std::string markup = ratio_axis_markup(ratio_axis({40}));
  for (const char* part : {">10⁻³<", ">1<", ">100<", "left:clamp(1.1em,"}) CHECK_THAT(markup, contains(part));
}
