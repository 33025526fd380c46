#include "assay/validators/describe_comparison.hpp"

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/tolerance/absolute_relative.hpp"
#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

struct Ones {
  ExpectedElement operator()(Index, Index) const { return {1.0, 0.0}; }
};

Comparison compared(std::vector<float>& out, Index rows, Index columns) {
  Host& host = shared_host();
  auto stream = host.make_stream();
  const StridedView<float, 2> view{out.data(), {rows, columns}, {columns, 1}};
  auto comparison = compare(host, stream.value(), view, Ones{}, absolute_tolerance(0.5));
  REQUIRE(comparison.has_value());
  return comparison.value();
}

}  // namespace

TEST_CASE("a comparison without violations passes and is measured") {
  std::vector<float> out(12, 1.25F);
  Outcome outcome;
  describe(compared(out, 3, 4), {}, outcome);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.reason.empty());
  CHECK(outcome.measurement(measurement::elements).value_or(0) == 12);
  CHECK(outcome.measurement(measurement::max_absolute_error).value_or(0) == 0.25);
  CHECK(outcome.measurement("mean_signed_error").value_or(0) == 0.25);
  CHECK(outcome.heat_maps.empty());
}

TEST_CASE("violations are counted, placed and listed") {
  std::vector<float> out(200 * 4, 1.0F);
  out[150 * 4 + 2] = 9;
  out[151 * 4 + 1] = 5;
  ComparisonContext context;
  context.rows_per_batch = 100;
  Outcome outcome;
  describe(compared(out, 200, 4), context, outcome);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("2 of 800 elements"));
  CHECK_THAT(
      outcome.reason,
      contains("the worst at [150, 2]: actual 9, expected 1, accepted 0.5 ... 1.5 (16 times the allowed error)"));
  CHECK_THAT(said(outcome), contains("rows 150 to 151 hold all violations"));
  CHECK_THAT(said(outcome), contains("the first violation is in batch 1"));
  REQUIRE(outcome.tables.size() == 1);
  REQUIRE(outcome.tables[0].rows.size() == 2);
  CHECK(outcome.tables[0].rows[0][2] == "9");
  CHECK(outcome.heat_maps.size() == 1);
}

TEST_CASE("violations of batch 0 alone, of NaN, of infinities and of zeros are told apart") {
  std::vector<float> out(8, 1.0F);
  ComparisonContext context;
  context.rows_per_batch = 1;
  SECTION("batch 0") {
    out[1] = 3;
    Outcome outcome;
    describe(compared(out, 2, 4), context, outcome);
    CHECK_THAT(said(outcome), contains("all violations are in batch 0"));
  }
  SECTION("NaN and infinity") {
    out[0] = std::numeric_limits<float>::quiet_NaN();
    out[1] = std::numeric_limits<float>::infinity();
    Outcome outcome;
    describe(compared(out, 2, 4), context, outcome);
    CHECK_THAT(said(outcome), contains("1 elements are NaN where a number is due"));
    CHECK_THAT(said(outcome), contains("1 elements are infinite where they should not be"));
  }
  SECTION("zeros") {
    out.assign(8, 0.0F);
    Outcome outcome;
    describe(compared(out, 2, 4), context, outcome);
    CHECK_THAT(said(outcome), contains("looks like all zeros"));
  }
}

TEST_CASE("undetermined elements are inconclusive, and a violation beats them") {
  Comparison comparison;
  comparison.elements = 10;
  comparison.undetermined = 4;
  Outcome outcome;
  describe(comparison, {}, outcome);
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("4 of 10"));
  comparison.violations = 1;
  Outcome worse;
  describe(comparison, {}, worse);
  CHECK(worse.verdict == Verdict::fail);
}

TEST_CASE("too many misrounded elements fail where the data suit the test") {
  Comparison comparison;
  comparison.elements = comparison.statistics.elements = 1000;
  comparison.statistics.misrounded = 400;
  comparison.statistics.expected_misrounded = 20;
  ComparisonContext context;
  Outcome lenient;
  describe(comparison, context, lenient);
  CHECK(lenient.verdict == Verdict::pass);
  context.judge_misrounding = true;
  Outcome outcome;
  describe(comparison, context, outcome);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("400 of 1000"));
}

TEST_CASE(
    "a reason has values that tell apart what differs, and words where nothing but the expected answer is right") {
  const auto reason = [](double actual, ExpectedElement expected, double tolerance) {
    Comparison comparison;
    comparison.rows = comparison.columns = 1;
    comparison.elements = comparison.violations = 1;
    ComparedElement element{{0, 0}, actual, expected.value, expected.value - tolerance, expected.value + tolerance, 3};
    if (tolerance == 0) element.ratio = std::numeric_limits<double>::infinity();
    if (expected.value != expected.value) element.lower = 1, element.upper = 0;
    comparison.worst.push_back(element);
    Outcome outcome;
    describe(comparison, {}, outcome);
    return outcome.reason;
  };
  CHECK_THAT(reason(22, {-26, 0}, 0), contains("[0, 0]: actual 22, expected -26 and nothing else"));
  CHECK_THAT(reason(22, {-26, 0}, 0), !contains("inf") && !contains("times"));
  CHECK_THAT(reason(1.0000001, {1, 0}, 1e-8),
             contains("actual 1.0000001, expected 1, accepted 0.99999999 ... 1.00000001"));
  CHECK_THAT(reason(1, {std::nan(""), 0}, 1), contains("actual 1, expected NaN"));
  CHECK_THAT(reason(std::nan(""), {1, 0}, 0.5), contains("actual NaN, expected 1, accepted 0.5 ... 1.5"));
}
