#include "assay/tolerance/aggregate.hpp"

#include <limits>
#include <string>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

struct JudgesNothing {};
struct JudgesWithBool {
  bool judge(const ErrorStatistics&) const { return true; }
};
struct JudgesMutably {
  AggregateFinding judge(const ErrorStatistics&) { return {}; }
};
static_assert(AggregateTolerance<NormwiseTolerance> && AggregateTolerance<MisroundingTolerance>);
static_assert(!AggregateTolerance<JudgesNothing> && !AggregateTolerance<JudgesWithBool> &&
              !AggregateTolerance<JudgesMutably>);

ErrorStatistics norms(double squared_error, double squared_reference) {
  ErrorStatistics statistics;
  statistics.elements = 100;
  statistics.squared_error = squared_error;
  statistics.squared_reference = squared_reference;
  return statistics;
}

ErrorStatistics misrounded(std::uint64_t count, double expected) {
  ErrorStatistics statistics;
  statistics.elements = 10000;
  statistics.misrounded = count;
  statistics.misrounded_inward = count / 2;
  statistics.expected_misrounded = expected;
  return statistics;
}

}  // namespace

TEST_CASE("the norm-wise rule compares norms, not their squares", "[tolerance]") {
  const NormwiseTolerance rule{0.5};
  CHECK(rule.judge(norms(4, 16)).acceptable);
  CHECK_FALSE(rule.judge(norms(4.001, 16)).acceptable);
  CHECK(rule.judge(norms(0, 0)).acceptable);
  CHECK_FALSE(rule.judge(norms(1e-20, 0)).acceptable);
  CHECK_THAT(rule.judge(norms(4, 16)).explanation, contains("= 2 against 0.5"));
}

TEST_CASE("the norm-wise rule accepts nothing that was not measured", "[tolerance]") {
  const double infinity = std::numeric_limits<double>::infinity(),
               not_a_number = std::numeric_limits<double>::quiet_NaN();
  const NormwiseTolerance rule{0.5};
  CHECK_FALSE(rule.judge(norms(infinity, infinity)).acceptable);
  CHECK_FALSE(rule.judge(norms(1, infinity)).acceptable);
  CHECK_FALSE(rule.judge(norms(infinity, 1)).acceptable);
  CHECK_FALSE(rule.judge(norms(not_a_number, 1)).acceptable);
  CHECK_THAT(rule.judge(norms(infinity, infinity)).explanation, contains("overflow"));
}

TEST_CASE("the misrounding rule allows the expectation, six standard deviations and six", "[tolerance]") {
  const MisroundingTolerance rule;
  CHECK(rule.judge(misrounded(0, 0)).acceptable);
  CHECK(rule.judge(misrounded(6, 0)).acceptable);
  CHECK_FALSE(rule.judge(misrounded(7, 0)).acceptable);
  CHECK(rule.judge(misrounded(166, 100)).acceptable);  // 100 + 60 + 6
  CHECK_FALSE(rule.judge(misrounded(167, 100)).acceptable);
  CHECK(rule.judge(misrounded(10000, 10000)).acceptable);
  CHECK(rule.judge({}).acceptable);
  const std::string text = rule.judge(misrounded(167, 100)).explanation;
  CHECK_THAT(text, contains("167 of 10000 elements"));
  CHECK_THAT(text, contains("83 of them nearer to zero"));
  CHECK_THAT(text, contains("at most 166"));
}
