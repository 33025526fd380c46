#include "assay/validators/describe_quantised.hpp"

#include "testing/catch.hpp"
#include "validators/quantise_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a judgement without violations passes, and one of undefined blocks alone decides nothing") {
  const QuantiseProblem problem = quantise_problem(int8_tensor(), 4, 4);
  QuantiseJudgement judgement;
  judgement.elements = 16;
  Outcome outcome;
  describe(problem, judgement, outcome);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.reason.empty());
  judgement.undefined = 16;
  Outcome undefined;
  describe(problem, judgement, undefined);
  CHECK(undefined.verdict == Verdict::inconclusive);
  CHECK_FALSE(undefined.reason.empty());
}

TEST_CASE("the reason counts what is wrong, the diagnosis says what it has in common, the table shows the first") {
  const QuantiseProblem problem = quantise_problem(mxfp4(), 4, 64);
  QuantiseJudgement judgement;
  judgement.elements = 256;
  judgement.scales = 8;
  judgement.wrong_scales = 2;
  judgement.scales_halved = 2;
  judgement.wrong_codes = 10;
  judgement.codes_swapped = 9;
  judgement.codes_not_finite = 1;
  judgement.keep({QuantiseMismatchKind::code, 2, 33, 0x7, 6, 4, 4, 4.5});
  Outcome outcome;
  describe(problem, judgement, outcome);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason == "2 of 8 scales, 10 of 256 codes are wrong");
  CHECK_THAT(all_said(outcome), contains("the scale's exponent is one too small"));
  CHECK_THAT(all_said(outcome), contains("9 of 10 wrong codes are those of the neighbour in their byte"));
  CHECK_THAT(all_said(outcome), contains("code of element 2 33 0x07 6 4 4 4.5"));
  CHECK(all_said(outcome).find("away from zero") == std::string::npos);
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows[0].size() == outcome.tables[0].columns.size());
}
