#include "assay/fleet/chips/chip_data.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

TEST_CASE("the chips that are installed and those that are built in are the same") {
  std::ifstream file(assay::testing::source_directory() / "include/assay/fleet/chips/chips.csv", std::ios::binary);
  REQUIRE(file.is_open());
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == assay::chips_csv);
}
