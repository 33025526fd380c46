#include "assay/performance/regression_judgement.hpp"

#include <cmath>

#include "testing/catch.hpp"

TEST_CASE("a judgement that nobody made decides nothing", "[performance]") {
  const assay::RegressionJudgement judgement;
  CHECK(judgement.verdict == assay::RegressionVerdict::rerun);
  CHECK_FALSE(judgement.improved);
  CHECK(std::isinf(judgement.lower));
  CHECK(std::isinf(judgement.upper));
  CHECK_FALSE(judgement.p_value.has_value());
}
