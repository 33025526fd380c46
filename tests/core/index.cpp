#include "assay/core/index.hpp"

#include <limits>

#include "testing/catch.hpp"

TEST_CASE("an index is signed and has 64 bits", "[core]") {
  static_assert(std::numeric_limits<assay::Index>::is_signed && std::numeric_limits<assay::Index>::digits == 63);
  SUCCEED("checked by the compiler");
}
