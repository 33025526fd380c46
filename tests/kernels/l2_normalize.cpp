#include "assay/kernels/l2_normalize/l2_normalize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/faults/l2_normalize_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right L2 normalizations are not accused") {
  testing::require_correct_kernels_pass<L2Normalize>(0.3);
}

TEST_CASE("every fault of an L2 normalization is caught by its default suite") {
  testing::require_faults_are_caught<L2Normalize>();
}

namespace {

/// What is accepted of a row in float32; the portable kernel's is.
std::vector<AcceptanceInterval> accepted(std::vector<float> x, double epsilon = 1e-12) {
  Host host(1);
  auto stream = host.make_stream();
  L2NormalizeProblem problem;
  problem.length = static_cast<Index>(x.size());
  problem.epsilon = epsilon;
  std::vector<float> y(x.size());
  OperandArray operands;
  operands[L2Normalize::input] = contiguous_operand(x.data(), {1, problem.length});
  operands[L2Normalize::output] = contiguous_operand(y.data(), {1, problem.length});
  const auto reference =
      L2Normalize::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{});
  REQUIRE(reference);
  REQUIRE(L2Normalize::portable(host, stream.value(), problem, operands));
  std::vector<AcceptanceInterval> intervals;
  for (Index i = 0; i < problem.length; ++i) {
    intervals.push_back(DerivedTolerance{}.interval<float>(reference.value().expected(0, i)));
    CHECK(intervals.back().contains(y[static_cast<std::size_t>(i)]));
  }
  return intervals;
}

}  // namespace

TEST_CASE("an L2 normalization divides by the norm, or by epsilon where that is more") {
  auto intervals = accepted({3, -4});
  CHECK(intervals[0].contains(0.6F));
  CHECK(intervals[1].contains(-0.8F));
  CHECK_FALSE(intervals[1].contains(-0.80001F));
  intervals = accepted({3, -4}, 10);
  CHECK(intervals[0].contains(0.3F));
  CHECK_FALSE(intervals[0].contains(0.6F));
  CHECK(accepted({0, 0})[0].contains(0.0F));
  CHECK_FALSE(accepted({0, 0})[0].contains(1e-30F));
}

TEST_CASE("a NaN makes its row NaN; an infinity makes itself NaN and the rest 0") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  auto intervals = accepted({1, nan, infinity});
  for (const auto& interval : intervals) CHECK_FALSE(interval.contains(0.0F));
  intervals = accepted({1, -infinity});
  CHECK(intervals[0].contains(0.0F));
  CHECK_FALSE(intervals[0].contains(1.0F));
  CHECK_FALSE(intervals[1].contains(-1.0F));
}

TEST_CASE("nothing is known of a row whose squares may overflow") {
  CHECK(accepted({1e20F, 1})[1].undetermined);
  CHECK_FALSE(accepted({1e18F, 1})[1].undetermined);
}

TEST_CASE("problems of an L2 normalization that cannot be are refused") {
  L2NormalizeProblem problem;
  SECTION("negative extent") {
    problem.length = -3;
    testing::require_refused<L2Normalize>(problem, "length");
  }
  SECTION("epsilon") {
    problem.epsilon = 0;
    testing::require_refused<L2Normalize>(problem, "epsilon");
  }
  SECTION("format") {
    problem.output = element_format<std::int8_t>();
    testing::require_refused<L2Normalize>(problem, "output");
  }
}
