#include "assay/performance/run_series.hpp"

#include "testing/catch.hpp"

TEST_CASE("a series knows its baseline and what came since", "[performance]") {
  assay::RunSeries series;
  CHECK_FALSE(series.has_baseline());
  series.values = {1, 2, 3, 4, 5};
  CHECK_FALSE(series.has_baseline());
  series.baseline_begin = 1;
  series.baseline_end = 3;
  REQUIRE(series.has_baseline());
  CHECK(std::vector<double>(series.baseline().begin(), series.baseline().end()) == std::vector<double>{2, 3});
  CHECK(std::vector<double>(series.since_baseline().begin(), series.since_baseline().end()) ==
        std::vector<double>{4, 5});
  series.baseline_end = 5;
  CHECK(series.has_baseline());
  CHECK(series.since_baseline().empty());
  series.baseline_end = 6;
  CHECK_FALSE(series.has_baseline());
  series.baseline_begin = series.baseline_end = 2;
  CHECK_FALSE(series.has_baseline());
}
