// Catch2 runs this program, as all tests; GoogleTest's own tests run within one of its cases.
#define GTEST_DONT_DEFINE_FAIL 1
#define GTEST_DONT_DEFINE_SUCCEED 1
#include <gtest/gtest.h>

#include "assay/matchers/gtest.hpp"

#include <gtest/gtest-spi.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "assay/formats/small_float.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "assay/tolerance/ulps.hpp"
#include "testing/catch.hpp"

using assay::matches;
using testing::Not;

namespace {

const std::vector<double> expected{1, 2, 3, 4, 5, 6};
const float right[2][3] = {{1, 2, 3}, {4, 5, 6}};
const float wrong[2][3] = {{1, 2, 3}, {4, 5.5f, 6}};

class Outputs : public testing::Test {};

}  // namespace

TEST_F(Outputs, OfEveryKindAreChecked) {
  ASSERT_THAT(right, matches(expected, assay::UlpTolerance{1}));
  EXPECT_THAT(std::vector<float>({1, 2, 3, 4, 5, 6}), matches(right, assay::ExactTolerance{}));
  EXPECT_THAT((assay::contiguous_view<const float, 2>(right[0], {2, 3})),
              matches(expected, assay::tolerance_named("ulps=2").value()));
  EXPECT_THAT(std::vector<assay::bfloat16>(2, assay::bfloat16(3)),
              matches(std::pair{std::vector{3.001, 2.998}, std::vector{0.01, 0.01}}, assay::DerivedTolerance{}));
  EXPECT_THAT(right, matches(expected, assay::UlpTolerance{1}, assay::NormwiseTolerance{1e-6}));
  assay::Host host;
  assay::Host::Stream stream;
  const auto tensor = assay::Tensor<float, assay::Host>::create(host, stream, 6);
  EXPECT_THAT(tensor.value(), Not(matches(expected, assay::UlpTolerance{1})));
}

TEST_F(Outputs, ThatAreWrongFail) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(wrong, matches(expected, assay::UlpTolerance{1})),
                          "Expected: matches the 6 expected values\n"
                          "  Actual: { { 1, 2, 3 }, { 4, 5.5, 6 } } (of type float [2][3]), \n"
                          "1 of 6 elements lies outside its acceptance interval (2 x 3 of f32)\n"
                          "worst at [1, 1]: actual 5.5, expected 5\n"
                          "  accepted: 4.9999995232 to 5.0000004768\n"
                          "  error: 0.5 = 1.05e+06 ulp, 1.05e+06 times the allowed error\n"
                          "tolerance: ulps: accept within 1 units in the last place of the rounded reference");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(std::vector<float>(5), matches(expected, assay::UlpTolerance{1})),
                          "the extents differ: the output has 5 elements of f32, expected are 6");
  EXPECT_FATAL_FAILURE(ASSERT_THAT(wrong, matches(right, assay::ExactTolerance{})), "worst at [1, 1]");
}

TEST_F(Outputs, ThatAreRightFailTheNegation) {
  EXPECT_THAT(wrong, Not(matches(expected, assay::UlpTolerance{1})));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(right, Not(matches(expected, assay::UlpTolerance{1}))),
                          "Expected: does not match the 6 expected values");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(right, Not(matches(expected, assay::UlpTolerance{1}))),
                          "all 6 elements lie in their acceptance interval");
}

TEST_F(Outputs, CombineWithOtherMatchers) {
  EXPECT_THAT(std::vector<float>({1, 2}),
              testing::AllOf(testing::SizeIs(2), matches(std::vector{1.0, 2.0}, assay::ExactTolerance{})));
  testing::MockFunction<void(const std::vector<float>&)> kernel;
  EXPECT_CALL(kernel, Call(matches(std::vector{1.0, 2.0}, assay::ExactTolerance{})));
  kernel.Call({1, 2});
}

TEST_F(Outputs, ArePrintedAsNumbers) {
  EXPECT_EQ(testing::PrintToString(std::vector<assay::bfloat16>{assay::bfloat16(1.5), assay::bfloat16(-2)}),
            "{ 1.5, -2 }");
  EXPECT_EQ(testing::PrintToString(assay::contiguous_view<const float, 2>(right[0], {2, 3})),
            "a view of 2 x 3 elements");
}

TEST_F(Outputs, AreComparedInAForkedProcess) {
  const std::vector<float> large((std::size_t{1} << 20) + 1, 1);
  EXPECT_THAT(large, matches(large, assay::ExactTolerance{}));
  EXPECT_EXIT(std::exit(testing::Value(large, matches(large, assay::ExactTolerance{})) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST_CASE("all tests of the GoogleTest matcher pass") {
  testing::InitGoogleMock();
  CHECK(testing::UnitTest::GetInstance()->total_test_count() == 6);
  CHECK(RUN_ALL_TESTS() == 0);
}
