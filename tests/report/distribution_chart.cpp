#include "assay/report/distribution_chart.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

const double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();

std::string drawn(std::vector<std::pair<double, double>> points) {
  return distribution_svg({std::string(distribution_title), "error / allowed", "elements", std::move(points)});
}

/// How many bars one color has.
std::ptrdiff_t bars(const std::string& svg, const std::string& style) {
  const std::size_t from = svg.find("class=\"" + style + "\" d=\"");
  if (from == std::string::npos) return 0;
  return std::count(svg.begin() + static_cast<std::ptrdiff_t>(from),
                    svg.begin() + static_cast<std::ptrdiff_t>(svg.find("/>", from)), 'M');
}

}  // namespace

TEST_CASE("a distribution is known by its title") {
  CHECK(is_distribution({"distribution of error / allowed", "", "", {}}));
  CHECK_FALSE(is_distribution({"Worst error against K", "", "", {}}));
}

TEST_CASE("the bin that ends at 1 is allowed, all later ones are refuted") {
  const std::string svg = drawn({{0.25, 10}, {0.5, 1000}, {1, 40}, {2, 3}, {4, 0}, {8, 1}});
  CHECK(bars(svg, "below") == 3);
  CHECK(bars(svg, "above") == 2);
  CHECK_THAT(svg, contains("4 of 1054 elements above 1"));
  CHECK_THAT(svg, contains("class=\"one\""));

  const std::string passed = drawn({{0.5, 7}, {1, 1}});
  CHECK(bars(passed, "above") == 0);
  CHECK_THAT(passed, contains("0 of 8 elements above 1"));
}

TEST_CASE("what lies beyond all bins has a place of its own") {
  const std::string svg = drawn({{1, 5}, {infinity, 2}, {nan_value, 1}});
  CHECK(bars(svg, "above") == 2);
  CHECK_THAT(svg, contains("∞, NaN"));
  CHECK_THAT(svg, contains("3 of 8 elements above 1"));
  CHECK(drawn({{1, 5}, {2, 2}}).find("∞") == std::string::npos);
}

TEST_CASE("odd distributions are drawn, or it is said that there is nothing to draw") {
  CHECK_THAT(drawn({}), contains("holds no elements"));
  CHECK_THAT(drawn({{1, 0}, {2, nan_value}, {3, -4}, {4, infinity}}), contains("holds no elements"));
  for (const auto& points : std::vector<std::vector<std::pair<double, double>>>{{{0, 5}},
                                                                                {{1, 1}},
                                                                                {{1e-300, 1}, {1e300, 1e300}},
                                                                                {{-1, 3}, {5e-324, 1}},
                                                                                {{infinity, 1}},
                                                                                {{4, 1}, {2, 1}}}) {
    const std::string svg = drawn(points);
    CHECK_THAT(svg, contains("</svg>"));
    for (std::size_t at = svg.find(" d=\""); at != std::string::npos; at = svg.find(" d=\"", at + 1))
      CHECK(svg.substr(at + 4, svg.find('"', at + 4) - at - 4).find_first_not_of("MHVhvz0123456789.- ") ==
            std::string::npos);
    CHECK(svg.size() < 10'000);
  }
}
