#include "assay/collectives/deadline.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a deadline passes, and not before") {
  CHECK(has_passed(deadline_after(std::chrono::seconds(0))));
  CHECK(has_passed(deadline_after(std::chrono::seconds(-1))));
  CHECK(!has_passed(deadline_after(std::chrono::hours(1))));
}
