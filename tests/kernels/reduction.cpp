#include "assay/kernels/reduction/reduction.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/faults/reduction_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Largest error / allowed over four seeds: prefix sums 0.97, sums 0.86, products 0.73, means 0.23, variances 0.09;
// roots whose squares underflow 1.
TEST_CASE("right reductions are not accused") {
  testing::require_correct_kernels_pass<Reduction>(0.6, 200);
}

TEST_CASE("every fault of a reduction is caught by its default suite") {
  testing::require_faults_are_caught<Reduction>();
}

namespace {
ExpectedElement expected_of(const ReductionProblem& problem, float* x, Index row = 0, Index column = 0,
                            RoundingModel model = RoundingModel::worst_case, const Arithmetic& arithmetic = {}) {
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Reduction::input] = problem.inner == 1
                                   ? contiguous_operand(x, {problem.outer, problem.length})
                                   : contiguous_operand(x, {problem.outer, problem.length, problem.inner});
  const auto reference = Reduction::reference(host, stream.value(), problem, operands, model, arithmetic);
  REQUIRE(reference);
  return reference.value().expected(row, column);
}
}  // namespace

TEST_CASE("references of reductions are the definitions") {
  float x[] = {1, -2, 4, 4, 0.5F, -8};
  ReductionProblem problem;
  problem.length = 6;
  const auto value = [&](ReductionFunction function) {
    problem.function = function;
    problem.output = problem.gives_index() ? element_format<std::int64_t>() : element_format<float32>();
    return expected_of(problem, x).value;
  };
  using enum ReductionFunction;
  CHECK(value(sum) == -0.5);
  CHECK(value(mean) == Approx(-0.5 / 6));
  CHECK(value(product) == 128);
  CHECK(value(maximum) == 4);
  CHECK(value(minimum) == -8);
  CHECK(value(argmax) == 2);
  CHECK(value(argmin) == 5);
  CHECK(value(l2_norm) == Approx(std::sqrt(101.25)));
  CHECK(value(variance) == Approx(101.25 / 6 - 0.25 / 36));
  problem.correction = 1;
  CHECK(value(variance) == Approx((101.25 - 0.25 / 6) / 5));
  problem.ties = TiePolicy::last;
  CHECK(value(argmax) == 3);
  problem.function = prefix_sum;
  problem.output = element_format<float32>();
  CHECK(expected_of(problem, x, 0, 3).value == 7);
  problem.exclusive = true;
  CHECK(expected_of(problem, x, 0, 3).value == 3);
  CHECK(expected_of(problem, x, 0, 0).value == 0);
}

TEST_CASE("reductions run along the middle dimension") {
  float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  ReductionProblem problem;
  problem.outer = 2;
  problem.length = 3;
  problem.inner = 2;
  CHECK(expected_of(problem, x, 0, 1).value == 12);
  CHECK(expected_of(problem, x, 1, 0).value == 27);
  problem.keep_extent = true;
  CHECK(expected_of(problem, x, 1, 1).value == 30);
}

TEST_CASE("a large mean leaves one-pass variances outside the bound, and updating formulas inside") {
  float x[] = {1000.25F, 1000, 999.75F, 1000.5F};
  ReductionProblem problem;
  problem.function = ReductionFunction::variance;
  problem.length = 4;
  const ExpectedElement element = expected_of(problem, x);
  const double mean_square_error = 4 * 0x1p-24 * 1e6;
  CHECK(element.error < mean_square_error / 4);
  CHECK(element.error > 0x1p-24 * 1000 * std::sqrt(element.value));
}

TEST_CASE("a variance divided by 0 is not known where its squares may vanish or be nothing but errors") {
  ReductionProblem problem;
  problem.function = ReductionFunction::variance;
  const auto of = [&](std::vector<float> x, Index correction) {
    problem.length = static_cast<Index>(x.size());
    problem.correction = correction;
    return expected_of(problem, x.data());
  };
  CHECK(std::isinf(of(std::vector<float>(10, 0.3F), 10).error));
  CHECK(std::isinf(of({1e-30F, 2e-30F}, 2).error));
  const ExpectedElement infinite = of({1, 2, 4}, 3);
  CHECK(infinite.error == 0);
  CHECK(infinite.value == std::numeric_limits<double>::infinity());
  CHECK(of({1, 2, 4}, 5).value == infinite.value);
  for (const ExpectedElement& element : {of({0.3F}, 1), of({0, 0, 0}, 3), of({}, 0)}) {
    CHECK(element.error == 0);
    CHECK(std::isnan(element.value));
  }
}

TEST_CASE(
    "what an infinity makes of a row is known unless partial results overflow to the other one or vanish before they "
    "meet it") {
  using enum ReductionFunction;
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(),
              most = 3e38F;
  ReductionProblem problem;
  const auto of = [&](ReductionFunction function, std::vector<float> x) {
    problem.function = function;
    problem.length = static_cast<Index>(x.size());
    return expected_of(problem, x.data(), 0, function == prefix_sum ? problem.length - 1 : 0);
  };
  const auto is_known = [](const ExpectedElement& element, double value) {
    return element.error == 0 && (element.value == value || (std::isnan(value) && std::isnan(element.value)));
  };
  for (const auto function : {sum, mean, prefix_sum}) {
    CHECK(std::isinf(of(function, {most, most, -infinity}).error));
    CHECK(std::isinf(of(function, {infinity, -most, -most}).error));
    CHECK(is_known(of(function, {most, most, infinity}), infinity));
    CHECK(is_known(of(function, {most, most, infinity, -1}), infinity));
    CHECK(is_known(of(function, {1, 2, -infinity}), -infinity));
    CHECK(is_known(of(function, {infinity, 1, -infinity}), nan));
    CHECK(is_known(of(function, {most, most, -infinity, nan}), nan));
  }
  const float least = std::numeric_limits<float>::denorm_min();
  std::vector<float> vanishing(8, least);
  vanishing.push_back(infinity);
  CHECK(std::isinf(of(product, vanishing).error));
  vanishing.push_back(0);
  CHECK(is_known(of(product, vanishing), nan));
  CHECK(is_known(of(product, {2, infinity, -0.5F}), -infinity));
  CHECK(is_known(of(product, {2, infinity, nan}), nan));
}

TEST_CASE("the mean that a variance is taken about is off by its division, too") {
  float x[] = {1000, 1000, 1000, 1000};
  ReductionProblem problem;
  problem.function = ReductionFunction::variance;
  problem.length = 4;
  Arithmetic arithmetic;
  arithmetic.function_errors = 1000;
  const double off = 1000 * arithmetic.function_error();
  CHECK(expected_of(problem, x, 0, 0, RoundingModel::worst_case, arithmetic).error > off * off);
}

TEST_CASE("sums err by their growth factor: partial sums that hold exact data add nothing, promoted sums begin anew") {
  std::vector<float> ones(4096, 1.0F);
  ReductionProblem problem;
  problem.length = 4096;
  Arithmetic arithmetic;
  AccumulationModel& accumulation = arithmetic.accumulation;
  const auto share = [&](RoundingModel model) {
    return expected_of(problem, ones.data(), 0, 0, model, arithmetic).error / 4096;
  };
  const auto growth = [&](RoundingModel model) { return growth_factor(4096, 4096, accumulation, model).value; };
  accumulation.split = 4;
  accumulation.partial_unit_roundoff = 0x1p-24;
  CHECK(share(RoundingModel::exact) == 0);
  for (const double partial : {0x1p-24, 0x1p-11}) {
    accumulation.partial_unit_roundoff = partial;
    for (const auto model : {RoundingModel::exact, RoundingModel::worst_case})
      CHECK(share(model) == Approx(growth(model)).epsilon(1e-6).margin(0));
  }
  accumulation.unit_roundoff = 0x1p-14;
  accumulation.precision = 14;
  accumulation.promotion = 128;
  for (const Index split : {1, 4}) {
    accumulation.split = split;
    for (const auto model : {RoundingModel::exact, RoundingModel::statistical, RoundingModel::worst_case})
      CHECK(share(model) == Approx(growth(model)).epsilon(1e-6).margin(0));
  }
}

TEST_CASE("the parts of a promoted product pass their errors on") {
  std::vector<float> ones(4096, 1.0F);
  ReductionProblem problem;
  problem.function = ReductionFunction::product;
  problem.length = 4096;
  Arithmetic promoted, plain;
  promoted.accumulation.promotion = 128;
  CHECK(expected_of(problem, ones.data(), 0, 0, RoundingModel::worst_case, promoted).error ==
        expected_of(problem, ones.data(), 0, 0, RoundingModel::worst_case, plain).error);
}

TEST_CASE("reductions that cannot be are refused") {
  ReductionProblem problem;
  SECTION("negative extent") {
    problem.inner = -2;
    testing::require_refused<Reduction>(problem, "inner");
  }
  SECTION("maximum of nothing") {
    problem.function = ReductionFunction::maximum;
    problem.length = 0;
    testing::require_refused<Reduction>(problem, "length");
  }
  SECTION("correction") {
    problem.correction = 1;
    testing::require_refused<Reduction>(problem, "correction");
  }
  SECTION("exclusive") {
    problem.exclusive = true;
    testing::require_refused<Reduction>(problem, "exclusive");
  }
  SECTION("indices in a floating-point format") {
    problem.function = ReductionFunction::argmin;
    testing::require_refused<Reduction>(problem, "output");
  }
  SECTION("indices in too narrow a format") {
    problem.function = ReductionFunction::argmin;
    problem.length = 1000;
    problem.output = element_format<std::int8_t>();
    testing::require_refused<Reduction>(problem, "length");
  }
  SECTION("scan that keeps an extent") {
    problem.function = ReductionFunction::prefix_sum;
    problem.keep_extent = true;
    testing::require_refused<Reduction>(problem, "keep_extent");
  }
}
