#include "assay/faults/output_launch.hpp"

#include <catch2/catch.hpp>

#include "faults/doubling.hpp"

using namespace assay;
using testing::Doubling;

TEST_CASE("a launch knows its first output by element, and what stood there before") {
  Doubling doubling;
  const OutputLaunch launch(doubling.specs, doubling.operands);
  REQUIRE((launch.has_output() && launch.has_input() && launch.is_float()));
  CHECK((launch.rows() == 10 && launch.columns() == 70 && launch.size() == 700));
  (void)Doubling::kernel(doubling.operands);
  CHECK(doubling.wrong() == 0);
  launch.leave(71);
  CHECK((doubling.at(71) == -7 && doubling.unwritten() == 1));
  launch.permute([](Index e) { return e == 0 ? Index{699} : e == 1 ? Index{-1} : e; });
  CHECK((doubling.at(0) == doubling.right(699) && doubling.at(1) == -7));
  CHECK((launch.fraction_bit(0) == 1u << 22 && launch.fraction_bit(40) == 1));
  launch.each_float([](double, const ElementFormat&) { return 0.5; });
  CHECK(doubling.at(333) == 0.5F);
  CHECK(doubling.outside() == 0);
}

TEST_CASE("a launch without elements has no output") {
  Doubling doubling;
  doubling.operands[1].extents[0] = 0;
  CHECK_FALSE(OutputLaunch(doubling.specs, doubling.operands).has_output());
}
