#include "assay/core/config.hpp"

#include "testing/catch.hpp"

namespace {

struct Doubling {
  ASSAY_FUNCTION constexpr int operator()(int value) const { return 2 * value; }
};

}  // namespace

TEST_CASE("the configuration tells whether this unit may throw", "[core]") {
  CHECK(assay::exceptions_enabled);  // Catch2 needs exceptions
  static_assert(Doubling{}(21) == 42);
}
