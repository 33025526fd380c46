#include "assay/performance/regression_verdict.hpp"

#include "testing/catch.hpp"

using assay::RegressionVerdict;

TEST_CASE("verdicts on regressions and their names are one to one", "[performance]") {
  for (const RegressionVerdict verdict :
       {RegressionVerdict::regressed, RegressionVerdict::not_regressed, RegressionVerdict::rerun})
    CHECK(assay::regression_verdict_named(name_of(verdict)) == verdict);
  CHECK(name_of(RegressionVerdict::rerun) == "rerun");
  for (const char* name : {"", "pass", "Regressed"}) CHECK_FALSE(assay::regression_verdict_named(name).has_value());
}
