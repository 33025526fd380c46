#include "assay/core/heat_map.hpp"

#include "testing/catch.hpp"

TEST_CASE("a heat map is stored by rows", "[core]") {
  assay::HeatMap map;
  map.rows = 2;
  map.columns = 3;
  map.values = {0, 1, 2, 10, 11, 12};
  CHECK(map.at(0, 2) == 2);
  CHECK(map.at(1, 0) == 10);
  CHECK(map.at(1, 2) == 12);
}
