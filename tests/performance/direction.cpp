#include "assay/performance/direction.hpp"

#include "testing/catch.hpp"

using assay::Direction;
using assay::testing::Approx;

TEST_CASE("directions and their names are one to one", "[performance]") {
  CHECK(assay::direction_named("lower_is_better") == Direction::lower_is_better);
  CHECK(assay::direction_named("higher_is_better") == Direction::higher_is_better);
  CHECK(name_of(Direction::higher_is_better) == "higher_is_better");
  for (const char* name : {"", "lower", "LOWER_IS_BETTER", "higher_is_better "})
    CHECK_FALSE(assay::direction_named(name).has_value());
}

TEST_CASE("slower is worse, and so is less of what there should be more of", "[performance]") {
  CHECK(worsening(Direction::lower_is_better, 1.02) == Approx(0.02));
  CHECK(worsening(Direction::lower_is_better, 0.9) == Approx(-0.1));
  CHECK(worsening(Direction::higher_is_better, 0.98) == Approx(0.02));
  CHECK(worsening(Direction::higher_is_better, 1.5) == Approx(-0.5));
}
