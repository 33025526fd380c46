#include "assay/release/compatibility_grid.hpp"

#include <cmath>

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("counts over two axes") {
  const CompatibilityReport report = sample_report();
  const CompatibilityGrid grid = compatibility_grid(report, "driver", "cuda").value();
  CHECK(grid.rows.values == std::vector<std::string>{"450.80.02", "550.54", "580.1"});
  CHECK(grid.at(0, 0).count(CompatibilityState::hole) == 1);
  CHECK(grid.at(0, 2).promised() == 0);
  CHECK(grid.at(1, 0).count(CompatibilityState::conflict) == 1);
  CHECK(grid.at(1, 1).count(CompatibilityState::failed) == 1);
  CHECK(grid.at(1, 1).count(CompatibilityState::undecided) == 1);
  CHECK(grid.at(2, 2).count(CompatibilityState::certified) == 1);
  CHECK(grid.at(2, 2).promised() == 2);
  const CompatibilityGrid turned = compatibility_grid(report, "cuda", "driver").value();
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      CHECK(turned.at(column, row).counts == grid.at(row, column).counts);
}

TEST_CASE("a heat map that hides neither failures nor what was never promised") {
  const HeatMap map = certified_share(compatibility_grid(sample_report(), "driver", "cuda").value());
  CHECK(map.rows == 3);
  CHECK(map.columns == 3);
  CHECK(std::isnan(map.at(0, 2)));
  CHECK(map.at(0, 0) == 0);
  CHECK(map.at(1, 0) == -1);
  CHECK(map.at(1, 1) == -1);
  CHECK(map.at(2, 2) == 0.5);
}

TEST_CASE("axes that are not there") {
  CHECK_THAT(compatibility_grid(sample_report(), "drver", "cuda").error().message,
             contains("unknown axis 'drver'; nearest: driver"));
  CHECK_THAT(compatibility_grid(sample_report(), "driver", "x").error().message, contains("unknown axis 'x'"));
  CHECK_THAT(compatibility_grid(sample_report(), "cuda", "cuda").error().message, contains("name two axes"));
}
