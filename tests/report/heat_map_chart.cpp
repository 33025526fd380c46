#include "assay/report/heat_map_chart.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();
}  // namespace

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
  CHECK_THAT(svg, contains("1 cell is NaN or infinite, the first in rows 64–127, columns 0–31. Largest finite: 8 in "
                           "rows 64–127, columns 32–63."));
  CHECK_THAT(svg, contains("class=\"peak\" x=\"0\" y=\"1\""));
  const std::string finite = heat_map_svg({"largest error / allowed", 1, 3, 1, 1, {0, 384, 2}});
  CHECK_THAT(finite, contains("Largest: at most 384 in rows 0, columns 1."));
  CHECK_THAT(finite, contains("class=\"peak\" x=\"1\" y=\"0\""));
  CHECK_THAT(heat_map_svg({"", 1, 2, 1, 1, {infinity, infinity}}),
             contains("2 cells are NaN or infinite, the first in rows 0, columns 0. No cell is finite."));
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
}

TEST_CASE("the colors of error / allowed change at 1, whatever the largest value is") {
  const std::string html =
      heat_map_svg({"largest error / allowed of each tile", 1, 6, 16, 16, {0, 1, 1.0000001, 1e9, nan_value, 0.25}});
  CHECK_THAT(html, contains("class=\"h0\" d=\"M0 0h1v1h-1zM5 0h1v1h-1z\""));
  CHECK_THAT(html, contains("class=\"h3\" d=\"M1 0"));
  CHECK_THAT(html, contains("class=\"h4\" d=\"M2 0"));
  CHECK_THAT(html, contains("class=\"h8\" d=\"M3 0"));
  CHECK_THAT(html, contains("class=\"hx\" d=\"M4 0"));
  CHECK_THAT(html, contains("NaN, ∞"));
  CHECK_THAT(html, contains("class=\"refuted\"><i class=\"h4\""));
  CHECK(heat_map_svg({"error / allowed", 1, 1, 1, 1, {0.5}}).find("class=\"h8\" d=") == std::string::npos);
}

TEST_CASE("labels of axes do not overlap, however flat or narrow a map is") {
  const auto labels = [](std::size_t rows, std::size_t columns, const std::string& from) {
    const std::string html = heat_map_svg({"m", rows, columns, 1000, 1000, std::vector<double>(rows * columns, 0.5)});
    std::vector<double> percents;
    for (std::size_t at = 0; (at = html.find("<span style=\"" + from + ":", at)) != std::string::npos;)
      percents.push_back(std::stod(html.substr(at += from.size() + 14)));
    return percents;
  };
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{4, 128}, {128, 4}, {1, 128}, {2, 64}, {8, 64}, {64, 64}}) {
    INFO(rows << " rows, " << columns << " columns");
    const double most = static_cast<double>(std::max(rows, columns)),
                 width = 240 * std::min(1.0, static_cast<double>(columns) / most),
                 height = 240 * static_cast<double>(rows) / most;
    const std::vector<double> tops = labels(rows, columns, "top"), lefts = labels(rows, columns, "left");
    REQUIRE_FALSE(tops.empty());
    REQUIRE_FALSE(lefts.empty());
    for (std::size_t i = 1; i < tops.size(); ++i) CHECK((tops[i] - tops[i - 1]) / 100 * height >= 14.4);
    for (std::size_t i = 1; i < lefts.size(); ++i) CHECK((lefts[i] - lefts[i - 1]) / 100 * std::max(width, 16.0) >= 30);
  }
}

TEST_CASE("axes count elements, not cells, and the script finds every value") {
  const std::string html = heat_map_svg({"m", 10, 2, 16, 64, std::vector<double>(20, 0.5)});
  CHECK_THAT(html, contains("top:20%\">32<"));
  CHECK_THAT(html, contains("top:80%\">128<"));
  CHECK_THAT(html, contains("left:50%\">64<"));
  CHECK_THAT(html, contains("data-map=\"10 2 16 64\""));
  const std::size_t from = html.find("data-values=\"") + 13, to = html.find('"', from);
  CHECK(std::count(html.begin() + static_cast<std::ptrdiff_t>(from), html.begin() + static_cast<std::ptrdiff_t>(to),
                   ' ') == 19);
}
