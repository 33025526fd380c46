#include "assay/validators/describe_quantized.hpp"

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a judgment without violations passes, and one of undefined blocks alone decides nothing") {
  const QuantizeProblem problem = quantize_problem(int8_tensor(), 4, 4);
  QuantizeJudgment judgment;
  judgment.elements = 16;
  Outcome outcome;
  describe(problem, judgment, outcome);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.reason.empty());
  judgment.undefined = 16;
  Outcome undefined;
  describe(problem, judgment, undefined);
  CHECK(undefined.verdict == Verdict::inconclusive);
  CHECK_FALSE(undefined.reason.empty());
}

TEST_CASE("the reason counts what is wrong, the diagnosis says what it has in common, the table shows the first") {
  const QuantizeProblem problem = quantize_problem(mxfp4(), 4, 64);
  QuantizeJudgment judgment;
  judgment.elements = 256;
  judgment.scales = 8;
  judgment.wrong_scales = 2;
  judgment.scales_halved = 2;
  judgment.wrong_codes = 10;
  judgment.codes_swapped = 9;
  judgment.codes_not_finite = 1;
  judgment.keep({QuantizeMismatchKind::code, 2, 33, 0x7, 6, 4, 4, 4.5});
  Outcome outcome;
  describe(problem, judgment, outcome);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason == "2 of 8 scales, 10 of 256 codes are wrong");
  CHECK_THAT(all_said(outcome), contains("the scale's exponent is one too small"));
  CHECK_THAT(all_said(outcome), contains("9 of 10 wrong codes are those of the neighbor in their byte"));
  CHECK_THAT(all_said(outcome), contains("code of element 2 33 0x07 6 4 4 4.5"));
  CHECK(all_said(outcome).find("away from zero") == std::string::npos);
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows[0].size() == outcome.tables[0].columns.size());
}
