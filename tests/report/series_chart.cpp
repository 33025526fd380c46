#include "assay/report/series_chart.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("a series leaves gaps where it is not finite, and never writes a coordinate that is not") {
  const std::string svg = series_svg({"s", "K & N", "ratio", {{1, 2}, {2, nan_value}, {3, infinity}, {4, 5}, {5, 6}}});
  CHECK_THAT(svg, contains("K &amp; N"));
  CHECK_THAT(svg, contains("2 of 5 points"));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("NaN") == std::string::npos);
  CHECK(svg.find("inf\"") == std::string::npos);
  const std::string path = svg.substr(svg.find("class=\"line\""));
  CHECK(std::count(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(path.find("/>")), 'M') == 2);
  CHECK_THAT(series_svg({"s", "", "", {{nan_value, 1}}}), contains("no finite points"));
}

TEST_CASE("extreme series are drawn") {
  for (const auto& points : std::vector<std::vector<std::pair<double, double>>>{{{1, 1}},
                                                                                {{0, 0}, {0, 0}},
                                                                                {{-1e308, 1e308}, {1e308, -1e308}},
                                                                                {{1e-300, 1e-300}, {1, 1}},
                                                                                {{5e-324, 0}, {1e-320, 5e-324}}}) {
    const std::string svg = series_svg({"s", "x", "y", points});
    CHECK_THAT(svg, contains("</svg>"));
    CHECK(svg.find("NaN") == std::string::npos);
    CHECK(svg.size() < 10'000);
  }
}

TEST_CASE("the size of a series is bounded whatever the size of its data") {
  Series series{"long", "x", "y", {}};
  for (int i = 0; i < 100'000; ++i) series.points.emplace_back(i, i % 7);
  const std::string line = series_svg(series);
  CHECK(line.size() < 20'000);
  CHECK_THAT(line, contains("of 100000 points is drawn"));
}
