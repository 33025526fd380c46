#include "assay/release/combination_list.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("combinations come back as they were added") {
  CombinationList list(3);
  CHECK(list.empty());
  CHECK(list.size() == 0);
  const std::uint16_t one[] = {1, 2, 3}, two[] = {4, 5, 65534};
  list.push_back(one);
  list.push_back(two);
  REQUIRE(list.size() == 2);
  CHECK(list[0][2] == 3);
  CHECK(list[1][0] == 4);
  CHECK(list[1][2] == 65534);
  CHECK(list[1].size() == 3);
  CHECK_THROWS_AS(list.push_back(std::span(one, 2)), Misuse);
  CHECK(CombinationList(0).size() == 0);
}
