#include "assay/core/misuse.hpp"

#include "testing/catch.hpp"

TEST_CASE("misuse throws its message", "[core]") {
  CHECK_THROWS_AS(assay::misuse("why"), assay::Misuse);
  CHECK_THROWS_AS(assay::misuse("why"), std::invalid_argument);
  CHECK_THROWS_WITH(assay::misuse("count is -1; it must be 0 or more"), "count is -1; it must be 0 or more");
}

TEST_CASE("expect makes the message only where it is needed", "[core]") {
  int made = 0;
  const auto message = [&] {
    ++made;
    return std::string("needed");
  };
  CHECK_NOTHROW(assay::expect(true, message));
  CHECK(made == 0);
  CHECK_THROWS_WITH(assay::expect(false, message), "needed");
  CHECK(made == 1);
}
