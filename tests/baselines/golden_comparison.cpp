#include "assay/baselines/golden_comparison.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a comparison that was not made decides nothing") {
  CHECK(GoldenComparison{}.verdict == Verdict::inconclusive);
  CHECK(GoldenComparison{}.worst_element == -1);
  CHECK_FALSE(GoldenAllowance{}.given());
  CHECK(GoldenAllowance{{0.0}, {}, {}}.given());
}
