#include "assay/fleet/figure_page.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("bars have one scale, their parts, limits and intervals; what is endless is named") {
  const std::string svg = bar_svg("Memory", "GB",
                                  {{"A <1>", {{"weights", 30}, {"cache", 20}}, 80},
                                   {"B", {{"weights", 100}, {"cache", 0}}, 0, 90, 110},
                                   {"C", {{"weights", std::numeric_limits<double>::infinity()}}}});
  CHECK(svg.find("A &lt;1&gt;") != std::string::npos);
  CHECK(count(svg, "height=\"18\"") == 3);  // a part of no length has no rectangle
  CHECK(svg.find("50 of 80 GB") != std::string::npos);
  CHECK(svg.find("100 GB") != std::string::npos);
  CHECK(svg.find("no finite length: C.") != std::string::npos);
  // 500 units for 110 GB: 30 GB are 136.4 of them.
  CHECK(svg.find("width=\"136.4\"") != std::string::npos);
  CHECK(bar_svg("None", "GB", {}).find("No bar is longer than 0") != std::string::npos);
}

TEST_CASE("a page of figures has its picture, tables and notes, escaped") {
  const std::string page = figure_page("T & U", "<svg></svg>", {{"Rows", {"a"}, {{"<b>"}}}}, {"n < m"});
  CHECK(page.find("<h1>T &amp; U</h1><svg></svg>") != std::string::npos);
  CHECK(page.find("<td>&lt;b&gt;</td>") != std::string::npos);
  CHECK(page.find("<p>n &lt; m</p>") != std::string::npos);
}
