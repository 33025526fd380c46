#include "assay/report/scatter_chart.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using testing::contains;

TEST_CASE("named points are drawn with whiskers, marks and notes") {
  const double infinity = std::numeric_limits<double>::infinity();
  const ScatterChart chart{
      "noise & size",
      "bits",
      "dB",
      {{"a<b", 4, 20, 10, true, "more"}, {"b", 8, 30, 30, false, ""}, {"c", 8, infinity, infinity, true, ""}}};
  const std::string svg = scatter_svg(chart);
  for (const char* part : {"noise &amp; size", "a&lt;b</text>", "<title>more</title>", "<title>b</title>", ">∞</text>",
                           ">bits</text>", ">dB</text>"})
    CHECK_THAT(svg, contains(part));
  const auto count = [&](const std::string& part) {
    int found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(count("<circle") == 3);
  CHECK(count("class=\"whisker\"") == 1);
  CHECK(count("class=\"best\"") == 2);
  CHECK(count("class=\"line\"") == 1);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("points beyond the limit stand on a line of their own, and octaves are ticked") {
  ScatterChart chart{
      "t", "x", "y", {{"a", 4, 20, 20, false, ""}, {"b", 16, 160, 100, false, ""}, {"c", 0, 1, 1, false, ""}}};
  chart.logarithmic_x = true;
  chart.y_limit = 80;
  const std::string svg = scatter_svg(chart);
  for (const char* part : {">&gt;80</text>", ">4</text>", ">6</text>", ">12</text>", ">16</text>", "cy=\"34\"",
                           "not finite or not above 0: 1 of 3 points"})
    CHECK_THAT(svg, contains(part));
  CHECK(svg.find(">160<") == std::string::npos);
}

TEST_CASE("points that have no place are told, and a chart without points says so") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(
      scatter_svg(ScatterChart{
          "t", "x", "y", {{"a", 1, 1, nan, false, ""}, {"b", nan, 1, 1, false, ""}, {"c", 1, nan, 1, false, ""}}}),
      contains("not finite: 2 of 3 points"));
  CHECK_THAT(scatter_svg(ScatterChart{"t", "x", "y", {}}), contains("holds no points"));
}

TEST_CASE("names of points near each other do not overlap, and stay within the chart") {
  std::vector<double> xs, ys;
  for (int i = 0; i < 12; ++i) xs.push_back(300 + i), ys.push_back(390 + i % 3);
  xs.push_back(600);
  ys.push_back(100);
  const detail::ScatterLabels labels(xs, ys, 16, 48, 34, 400);
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(labels.x[i] == 311);
    CHECK(labels.y[i] <= 400);
    CHECK(labels.y[i] >= 34);
    for (std::size_t j = 0; j < i; ++j) CHECK(std::abs(labels.y[i] - labels.y[j]) >= 16);
  }
  const detail::ScatterLabels centered({0, 1, 2}, {200, 200, 200}, 16, 48, 34, 400);
  CHECK(centered.y == std::vector<double>{184, 200, 216});
  CHECK(labels.x[12] == 600);
  CHECK(labels.y[12] == 100);
}

TEST_CASE("lines lead up as well as down, and an axis need not have 0 on it") {
  ScatterChart chart{"t", "x", "y", {{"a", 1, 30, 29, true, ""}, {"b", 2, 31, 30.5, true, "", 31.5}}};
  const auto whiskers = [](const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = svg.find("whisker"); at != svg.npos; at = svg.find("whisker", at + 1)) ++count;
    return count;
  };
  CHECK(whiskers(scatter_svg(chart)) == 3);
  CHECK_THAT(scatter_svg(chart), contains(">0</text>"));
  chart.from_zero = false;
  CHECK(whiskers(scatter_svg(chart)) == 3);
  CHECK_THAT(scatter_svg(chart), !contains(">0</text>"));
  CHECK_THAT(scatter_svg(chart), contains(">30</text>"));
}
