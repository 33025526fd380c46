#include "assay/performance/regression_judgment.hpp"

#include <cmath>

#include "testing/catch.hpp"

TEST_CASE("a judgment that nobody made decides nothing", "[performance]") {
  const assay::RegressionJudgment judgment;
  CHECK(judgment.verdict == assay::RegressionVerdict::rerun);
  CHECK_FALSE(judgment.improved);
  CHECK(std::isinf(judgment.lower));
  CHECK(std::isinf(judgment.upper));
  CHECK_FALSE(judgment.p_value.has_value());
}
