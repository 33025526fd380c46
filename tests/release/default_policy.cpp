#include "assay/release/default_policy.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

TEST_CASE("the file that is installed and the text that is built in are the same") {
  std::ifstream file(assay::testing::source_directory() / "include/assay/release/default_policy.json",
                     std::ios::binary);
  REQUIRE(file.is_open());
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == assay::default_policy);
}
