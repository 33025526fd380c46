#include "assay/report/chart.hpp"

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

TEST_CASE("a reduced map keeps the largest of every group, and NaN above all") {
  HeatMap map{"m", 100, 3, 2, 5, std::vector<double>(300, 1)};
  map.values[7 * 3 + 1] = 9;
  map.values[8 * 3 + 2] = nan_value;
  const HeatMap small = reduced(map, 50);
  CHECK(small.rows == 50);
  CHECK(small.columns == 3);
  CHECK(small.rows_per_cell == 4);
  CHECK(small.columns_per_cell == 5);
  CHECK(small.at(3, 1) == 9);
  CHECK(std::isnan(small.at(4, 2)));
  CHECK(small.at(0, 0) == 1);

  CHECK(reduced({"too few values", 4, 4, 1, 1, {1, 2}}).values.empty());
}

TEST_CASE("a heat map shows its legend, its largest cell and what is not finite") {
  const std::string svg = heat_map_svg({"tiles <1>", 2, 2, 64, 32, {0, 1, nan_value, 8}});
  CHECK_THAT(svg, contains("tiles &lt;1&gt;"));
  CHECK_THAT(svg, contains("class=\"hx\" d=\"M0 1h1v1h-1z\""));
  CHECK_THAT(svg, contains("class=\"h8\" d=\"M1 1h1v1h-1z\""));
  CHECK_THAT(svg, contains("Largest: 8 in rows 64–127, columns 32–63."));
  CHECK_THAT(svg, contains("NaN or infinite"));
  CHECK_THAT(heat_map_svg({}), contains("holds no cells"));
  CHECK_THAT(heat_map_svg({"", 1, 1, 1, 1, {infinity}}), contains("NaN or infinite"));
}

TEST_CASE("the size of a chart is bounded whatever the size of its data") {
  HeatMap map{"large", 1000, 1000, 1, 1, std::vector<double>(1'000'000)};
  for (std::size_t i = 0; i < map.values.size(); ++i) map.values[i] = static_cast<double>(i * 7919 % 1000);
  const std::string heat = heat_map_svg(map);
  CHECK(heat.size() < 120'000);
  CHECK_THAT(heat, contains("Drawn smaller than its 1000 × 1000 cells"));

  Series series{"long", "x", "y", {}};
  for (int i = 0; i < 100'000; ++i) series.points.emplace_back(i, i % 7);
  const std::string line = series_svg(series);
  CHECK(line.size() < 20'000);
  CHECK_THAT(line, contains("of 100000 points is drawn"));
}

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
  for (const auto& points : std::vector<std::vector<std::pair<double, double>>>{
           {{1, 1}}, {{0, 0}, {0, 0}}, {{-1e308, 1e308}, {1e308, -1e308}}, {{1e-300, 1e-300}, {1, 1}}, {{5e-324, 0}, {1e-320, 5e-324}}}) {
    const std::string svg = series_svg({"s", "x", "y", points});
    CHECK_THAT(svg, contains("</svg>"));
    CHECK(svg.find("NaN") == std::string::npos);
    CHECK(svg.size() < 10'000);
  }
}

TEST_CASE("ticks carry no trailing zeros") {
  CHECK(detail::tick_text(0.5) == "0.5");
  CHECK(detail::tick_text(1.5) == "1.5");
  CHECK(detail::tick_text(20) == "20");
  CHECK(detail::tick_text(1e-5) == "1e-05");
  CHECK(detail::tick_text(1.25e7) == "12500000");
}
