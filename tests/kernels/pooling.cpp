#include "assay/kernels/pooling/pooling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "assay/faults/pooling_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right pooling kernels are not accused") {
  testing::require_correct_kernels_pass<Pooling>(0.25, 120);
}

TEST_CASE("every fault of a pooling is caught by its default suite") {
  testing::require_faults_are_caught<Pooling>();
}

TEST_CASE("Assay's own pooling passes") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Pooling>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 150);
}

namespace {

PoolingProblem row_problem() {
  PoolingProblem problem;
  problem.dimensions = 1;
  problem.input[0] = 5;
  problem.window[0] = 3;
  problem.stride[0] = 2;
  problem.padding_before[0] = problem.padding_after[0] = 1;
  return problem;
}

std::vector<ExpectedElement> elements(const PoolingProblem& problem, std::vector<float> x, int output = 0) {
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Pooling::input] = contiguous_operand(x.data(), {problem.batch, problem.channels, problem.input[0]});
  auto expected = Pooling::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{})
                      .value()
                      .expected;
  expected.output = output;
  std::vector<ExpectedElement> found;
  for (Index o = 0; o < problem.output(0); ++o) found.push_back(expected(0, o));
  return found;
}
std::vector<double> forward(const PoolingProblem& problem, std::vector<float> x, int output = 0) {
  std::vector<double> values;
  for (const ExpectedElement& element : elements(problem, std::move(x), output)) values.push_back(element.value);
  return values;
}

}  // namespace

TEST_CASE("the reference of a pooling is the definition") {
  PoolingProblem problem = row_problem();
  const std::vector<float> x{-1, -4, -2, -8, -3};
  CHECK(forward(problem, x) == std::vector<double>{-1, -2, -3});
  CHECK(forward(problem, x, 1) == std::vector<double>{0, 2, 4});
  problem.kind = PoolingKind::average;
  CHECK(forward(problem, x) == std::vector<double>{-2.5, -14 / 3.0, -5.5});
  problem.include_padding = true;
  CHECK(forward(problem, x) == std::vector<double>{-5 / 3.0, -14 / 3.0, -11 / 3.0});
  problem.adaptive = true;
  problem.adaptive_output[0] = 2;
  CHECK(forward(problem, x) == std::vector<double>{-7 / 3.0, -13 / 3.0});  // 0 to 3 and 2 to 5
  problem = row_problem();
  problem.stride[0] = 1;
  problem.dilation[0] = 2;
  CHECK(forward(problem, x) == std::vector<double>{-4, -1, -4});
}

TEST_CASE("what ceil_mode adds to the padding is not counted") {
  PoolingProblem problem = row_problem();  // avg_pool1d([1, 2, 3, 4], 3, 2, 1, ceil_mode=True) of PyTorch
  problem.kind = PoolingKind::average;
  problem.input[0] = 4;
  problem.padding_after[0] = 2;
  problem.include_padding = true;
  const std::vector<float> x{1, 2, 3, 4};
  CHECK(forward(problem, x) == std::vector<double>{1, 3, 4 / 3.0});
  problem.uncounted_after[0] = 1;
  CHECK(forward(problem, x) == std::vector<double>{1, 3, 2});
  CHECK(name_of(problem).find("-include_padding-uncounted1") != std::string::npos);
  problem.uncounted_after[0] = 3;
  testing::require_refused<Pooling>(problem, "uncounted_after[0]");
  problem.uncounted_after[0] = 1;
  problem.include_padding = false;
  testing::require_refused<Pooling>(problem, "uncounted_after[0]");
}

TEST_CASE("an average with an infinity is not known where the other numbers may overflow to the other infinity") {
  const float infinity = std::numeric_limits<float>::infinity();
  PoolingProblem problem = row_problem();
  problem.kind = PoolingKind::average;
  problem.padding_before[0] = problem.padding_after[0] = 0;
  const auto found = elements(problem, {3e38F, 3e38F, -infinity, 3e38F, -1});
  CHECK(std::isinf(found[0].error));
  CHECK(found[1].error == 0);
  CHECK(found[1].value == -static_cast<double>(infinity));
  problem = row_problem();
  problem.backward = true;
  problem.input[0] = 3;
  problem.stride[0] = 1;
  std::vector<float> gradients{3e38F, 3e38F, -infinity};
  std::vector<std::int64_t> places{1, 1, 1};
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Pooling::input] = contiguous_operand(gradients.data(), {1, 1, 3});
  operands[Pooling::maxima] = contiguous_operand(places.data(), {1, 1, 3});
  const auto expected =
      Pooling::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{}).value();
  CHECK(std::isinf(expected.expected(0, 1).error));
  gradients[1] = -1;
  CHECK(expected.expected(0, 1).error == 0);
  CHECK(expected.expected(0, 1).value == -static_cast<double>(infinity));
}

namespace {

ExpectedElement gradient_of_middle(PoolingKind kind, std::vector<float> gradients) {
  PoolingProblem problem = row_problem();
  problem.kind = kind;
  problem.backward = true;
  problem.input[0] = 3;
  problem.stride[0] = 1;
  problem.include_padding = kind == PoolingKind::average;
  std::vector<std::int64_t> places{1, 1, 1};
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Pooling::input] = contiguous_operand(gradients.data(), {1, 1, 3});
  if (kind == PoolingKind::maximum) operands[Pooling::maxima] = contiguous_operand(places.data(), {1, 1, 3});
  return Pooling::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{})
      .value()
      .expected(0, 1);
}

}  // namespace

TEST_CASE("gradients of averages may be added before they are divided") {
  CHECK(gradient_of_middle(PoolingKind::average, {1, 2, 6}).value == 3);
  CHECK(std::isinf(gradient_of_middle(PoolingKind::average, {2e38F, 2e38F, -3}).error));
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(std::isinf(gradient_of_middle(PoolingKind::average, {2e38F, 2e38F, -infinity}).error));
  CHECK(gradient_of_middle(PoolingKind::average, {2e38F, -1, -infinity}).value == -static_cast<double>(infinity));
}

TEST_CASE(
    "every term of an average may be divided by itself, each with the error of a division; gradients of maxima divide "
    "nothing") {
  const Arithmetic arithmetic;
  PoolingProblem problem = row_problem();
  problem.kind = PoolingKind::average;
  CHECK(elements(problem, {0, 3, -1.5F, -1.5F, 0})[1].error > 2 * arithmetic.function_error());
  CHECK(gradient_of_middle(PoolingKind::average, {3, -1.5F, -1.5F}).error > 2 * arithmetic.function_error());
  CHECK(gradient_of_middle(PoolingKind::maximum, {3, -1.5F, -1.5F}).error > 3 * 6 * arithmetic.unit_roundoff());
  CHECK(gradient_of_middle(PoolingKind::maximum, {3, -1.5F, -1.5F}).error < 3.1 * 6 * arithmetic.unit_roundoff());
}

TEST_CASE("the bound of a gradient counts the windows that cover an element, however small they are") {
  PoolingProblem problem = row_problem();
  problem.backward = problem.adaptive = true;
  problem.input[0] = 2;
  problem.adaptive_output[0] = 7;
  CHECK(problem.most_terms() >= 4);  // 0 to 3, and 3 covers both
  problem.adaptive_output[0] = 40000;
  const PoolingBound bound = PoolingBound::of(problem, RoundingModel::statistical, arithmetic_in<float16>());
  CHECK(bound.growth.confidence == 0);  // such sums stagnate
  problem.backward = false;
  CHECK(problem.most_terms() == problem.window_size());
}

TEST_CASE("the gradient of a pooling is that of its reference") {
  Host host(1);
  auto stream = host.make_stream();
  for (const bool maximum : {false, true})
    for (const bool include_padding : {false, true}) {
      PoolingProblem problem = row_problem();
      problem.kind = maximum ? PoolingKind::maximum : PoolingKind::average;
      problem.include_padding = include_padding;
      std::vector<float> x{0.5f, -1.25f, 2, 0.75f, 3}, g{1, -2, 0.5f};
      std::vector<std::int64_t> places;
      for (const double place : forward(problem, x, 1)) places.push_back(static_cast<std::int64_t>(place));
      PoolingProblem back = problem;
      back.backward = true;
      OperandArray operands;
      operands[Pooling::input] = contiguous_operand(g.data(), {1, 1, 3});
      if (maximum) operands[Pooling::maxima] = contiguous_operand(places.data(), {1, 1, 3});
      auto expected = Pooling::reference(host, stream.value(), back, operands, RoundingModel::worst_case, Arithmetic{})
                          .value()
                          .expected;
      expected.columns = 5;
      for (std::size_t i = 0; i < 5; ++i) {
        const float step = 0x1p-10f;
        std::vector<float> above = x, below = x;
        above[i] += step;
        below[i] -= step;
        const auto high = forward(problem, above), low = forward(problem, below);
        double difference = 0;
        for (std::size_t o = 0; o < 3; ++o)
          difference += static_cast<double>(g[o]) * (high[o] - low[o]) / (2.0 * static_cast<double>(step));
        CHECK(expected(0, static_cast<Index>(i)).value == Approx(difference).margin(1e-12));
      }
    }
}

TEST_CASE("maxima of 64-bit integers are exact to their last digit") {
  const std::int64_t large = std::int64_t{1} << 53;  // above it a double rounds
  PoolingProblem problem;
  problem.dimensions = 1;
  problem.input[0] = problem.window[0] = 3;
  problem.format = element_format<std::int64_t>();
  problem.indices = true;
  std::vector<std::int64_t> x{large, large + 1, 7};
  Host host(1);
  const auto verdict_of = [&](std::int64_t maximum, std::int64_t place) {
    OperationSubject<Pooling> subject;
    subject.run = [&](const PoolingProblem&, const OperandArray& operands) -> Result<void> {
      *static_cast<std::int64_t*>(operands[Pooling::output].data) = maximum;
      *static_cast<std::int64_t*>(operands[Pooling::indices].data) = place;
      return {};
    };
    OperationData data;
    data.model = RoundingModel::exact;
    data.operands = {
        OperandFill::of_codes({static_cast<std::uint64_t>(x[0]), static_cast<std::uint64_t>(x[1]), 7}), {}, {}, {}};
    return check_operation<Pooling>(host, subject, problem, data, {}, {}).verdict;
  };
  CHECK(verdict_of(large + 1, 1) == Verdict::pass);
  CHECK(verdict_of(large, 1) == Verdict::fail);
  CHECK(verdict_of(large + 2, 1) == Verdict::fail);
  CHECK(verdict_of(7, 1) == Verdict::fail);
  CHECK(verdict_of(large + 1, 0) == Verdict::fail);
  std::int64_t maximum = 0, place = 0;
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Pooling::input] = contiguous_operand(x.data(), {1, 1, 3});
  operands[Pooling::output] = contiguous_operand(&maximum, {1, 1, 1});
  operands[Pooling::indices] = contiguous_operand(&place, {1, 1, 1});
  REQUIRE(Pooling::portable(host, stream.value(), problem, operands));
  CHECK(verdict_of(maximum, place) == Verdict::pass);
}

TEST_CASE("problems of a pooling that cannot be are refused") {
  PoolingProblem problem = row_problem();
  SECTION("dimensions") {
    problem.dimensions = 4;
    testing::require_refused<Pooling>(problem, "dimensions");
  }
  SECTION("no input") {
    problem.input[0] = 0;
    testing::require_refused<Pooling>(problem, "input[0]");
  }
  SECTION("window") {
    problem.dilation[0] = 4;
    testing::require_refused<Pooling>(problem, "window[0]");
  }
  SECTION("stride") {
    problem.stride[0] = 0;
    testing::require_refused<Pooling>(problem, "stride[0]");
  }
  SECTION("dilation") {
    problem.dilation[0] = 0;
    testing::require_refused<Pooling>(problem, "dilation[0]");
  }
  SECTION("negative padding") {
    problem.padding_after[0] = -1;
    testing::require_refused<Pooling>(problem, "padding_after[0]");
  }
  SECTION("windows of padding only") {
    problem.padding_before[0] = 3;
    testing::require_refused<Pooling>(problem, "padding only");
  }
  SECTION("adaptive output") {
    problem.adaptive = true;
    problem.adaptive_output[0] = 0;
    testing::require_refused<Pooling>(problem, "adaptive_output[0]");
  }
  SECTION("indices of averages") {
    problem.kind = PoolingKind::average;
    problem.indices = true;
    testing::require_refused<Pooling>(problem, "indices");
  }
  SECTION("format") {
    problem.backward = true;
    problem.format = element_format<std::int8_t>();
    testing::require_refused<Pooling>(problem, "format");
  }
  SECTION("index format") {
    problem.index_format = element_format<float32>();
    testing::require_refused<Pooling>(problem, "index_format");
  }
}
