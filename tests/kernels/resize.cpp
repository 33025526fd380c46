#include "assay/kernels/resize/resize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/faults/resize_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right resize kernels are not accused") {
  testing::require_correct_kernels_pass<Resize>(0.3, 120);
}

TEST_CASE("every fault of a resize is caught by its default suite") {
  testing::require_faults_are_caught<Resize>();
}

TEST_CASE("Assay's own resize passes") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Resize>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 200);
}

namespace {

ResizeProblem row_problem(Index from, Index to, ResizeMode mode, ResizeCoordinates coordinates) {
  ResizeProblem problem;
  problem.dimensions = 1;
  problem.input[0] = from;
  problem.output[0] = to;
  problem.mode = mode;
  problem.coordinates = coordinates;
  return problem;
}

std::vector<ExpectedElement> expected_of(const ResizeProblem& problem, std::vector<float> x,
                                         const Arithmetic& arithmetic = {}) {
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Resize::input] = contiguous_operand(x.data(), {1, 1, problem.read(0)});
  const auto reference =
      Resize::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, arithmetic);
  std::vector<ExpectedElement> elements;
  for (Index o = 0; o < problem.written(0); ++o) elements.push_back(reference.value().expected(0, o));
  return elements;
}

void check_values(const ResizeProblem& problem, const std::vector<float>& x, const std::vector<double>& values) {
  const auto elements = expected_of(problem, x);
  REQUIRE(elements.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(elements[i].value == Approx(values[i]).margin(1e-14));
}

}  // namespace

TEST_CASE("the reference of a resize is the definition") {
  using enum ResizeMode;
  using enum ResizeCoordinates;
  check_values(row_problem(2, 4, linear, half_pixel), {0, 8}, {0, 2, 6, 8});
  check_values(row_problem(2, 4, linear, asymmetric), {0, 8}, {0, 4, 8, 8});
  check_values(row_problem(3, 5, linear, align_corners), {0, 8, 2}, {0, 4, 8, 5, 2});
  check_values(row_problem(3, 1, linear, align_corners), {5, 8, 2}, {5});
  check_values(row_problem(4, 2, nearest, half_pixel), {1, 2, 3, 4}, {1, 3});  // 0.5 and 2.5 go down
  ResizeProblem up = row_problem(4, 2, nearest, half_pixel);
  up.rounding = NearestRounding::half_up;
  check_values(up, {1, 2, 3, 4}, {2, 4});
  // Keys with a = −0.75 at a distance of ¼: weights −27/256, 225/256, 67/256, −9/256
  check_values(row_problem(4, 8, cubic, half_pixel), {0, 0, 256, 0}, {0, -9, -27, 67, 225, 225, 67, -27});
  ResizeProblem thumbnail = row_problem(4, 2, linear, half_pixel);
  thumbnail.antialias = true;
  check_values(thumbnail, {7, 0, 0, 0}, {3, 0});  // weights ¾, ¾, ¼ over 7/4
}

TEST_CASE("a nearest element is in doubt only where its coordinate is") {
  using enum ResizeCoordinates;
  ResizeProblem problem = row_problem(41, 123, ResizeMode::nearest, asymmetric);
  problem.rounding = NearestRounding::floor;
  std::vector<float> ramp;
  for (int i = 0; i < 41; ++i) ramp.push_back(static_cast<float>(i));
  int doubts = 0;
  for (const ExpectedElement& element : expected_of(problem, ramp)) doubts += element.error > 0 ? 1 : 0;
  CHECK(doubts == 40);  // every third coordinate is a whole number, the first without a neighbor below
  problem.coordinate_unit = 0;
  for (const ExpectedElement& element : expected_of(problem, ramp)) CHECK(element.error == 0);
  for (const ExpectedElement& element : expected_of(row_problem(41, 82, ResizeMode::nearest, half_pixel), ramp))
    CHECK(element.error == 0);
}

TEST_CASE("a nearest element's gradient is exact where one element makes it up, in an accumulator that holds it") {
  ResizeProblem problem = row_problem(2, 2, ResizeMode::nearest, ResizeCoordinates::asymmetric);
  const float x = 1 + 0x1p-20f;
  problem.backward = true;
  CHECK(expected_of(problem, {x, 2})[0].error == 0);
  CHECK(expected_of(problem, {x, 2}, arithmetic_in<float16>())[0].error >= 0x1p-20);
  Arithmetic flushing;
  flushing.accumulation.min_subnormal = 0x1p-126;
  CHECK(expected_of(problem, {0x1p-127f, 2}, flushing)[0].error >= 0x1p-127);
  problem.backward = false;
  CHECK(expected_of(problem, {x, 2}, arithmetic_in<float16>())[0].error == 0);
}

TEST_CASE(
    "coordinates beyond the border may be moved to it, where its inner neighbor has the weight 0 and may spread a "
    "NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ResizeProblem problem = row_problem(4, 8, ResizeMode::linear, ResizeCoordinates::half_pixel);
  const auto second = expected_of(problem, {1, nan, 3, 4}), third = expected_of(problem, {1, 2, nan, 4});
  CHECK(std::isinf(second[0].error));
  CHECK(std::isnan(second[1].value));
  CHECK(second[7].value == 4);
  CHECK(third[0].value == 1);
  CHECK(std::isinf(third[7].error));
}

TEST_CASE(
    "gradients of nearest elements are sums, in which an infinity stays unless others may overflow to the other one") {
  const float infinity = std::numeric_limits<float>::infinity();
  ResizeProblem problem = row_problem(2, 6, ResizeMode::nearest, ResizeCoordinates::asymmetric);
  problem.rounding = NearestRounding::floor;
  problem.coordinate_unit = 0;
  problem.backward = true;
  const auto sums = expected_of(problem, {infinity, 3e38F, -1, -infinity, 3e38F, 3e38F});
  CHECK(sums[0].value == static_cast<double>(infinity));
  CHECK(sums[0].error == 0);
  CHECK(std::isinf(sums[1].error));
  CHECK(sums[1].value == 0);
  CHECK(std::isnan(expected_of(problem, {infinity, -infinity, 1, 2, 3, 4})[0].value));
}

TEST_CASE("products of weights may underflow in the accumulator") {
  ResizeProblem problem = row_problem(200, 201, ResizeMode::linear, ResizeCoordinates::align_corners);
  problem.dimensions = 2;
  problem.input[1] = 200;
  problem.output[1] = 201;
  std::vector<float> x(200 * 200);
  x[0] = 16000;
  Host host(1);
  auto stream = host.make_stream();
  OperandArray operands;
  operands[Resize::input] = contiguous_operand(x.data(), {1, 1, 200, 200});
  Arithmetic flushing = arithmetic_in<float16>();
  flushing.accumulation.min_subnormal = 0x1p-14;
  const auto reference =
      Resize::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, flushing);
  const ExpectedElement element = reference.value().expected(1, 1);
  CHECK(element.value == Approx(16000 * 0.005 * 0.005));
  CHECK(element.error >= element.value);
}

TEST_CASE("the gradient of a resize is that of its reference") {
  const std::vector<float> x{0.5f, -1.25f, 2, 0.75f, 3}, g{1, -2, 0.5f, 4, 0.25f, -1, 2, 1};
  for (const ResizeMode mode : {ResizeMode::nearest, ResizeMode::linear, ResizeMode::cubic})
    for (const ResizeCoordinates coordinates : {ResizeCoordinates::half_pixel, ResizeCoordinates::align_corners})
      for (const Index outputs : {Index{3}, Index{8}}) {
        ResizeProblem problem = row_problem(5, outputs, mode, coordinates), back = problem;
        problem.antialias = back.antialias =
            mode != ResizeMode::nearest && coordinates == ResizeCoordinates::half_pixel && outputs == 3;
        back.backward = true;
        const auto gradient = expected_of(back, {g.begin(), g.begin() + outputs});
        for (std::size_t i = 0; i < 5; ++i) {
          std::vector<float> above = x, below = x;
          above[i] += 1;
          below[i] -= 1;
          const auto high = expected_of(problem, above), low = expected_of(problem, below);
          double difference = 0;
          for (std::size_t o = 0; o < high.size(); ++o)
            difference += static_cast<double>(g[o]) * (high[o].value - low[o].value) / 2;
          CHECK(gradient[i].value == Approx(difference).margin(1e-12));
        }
      }
}

TEST_CASE("problems of a resize that cannot be are refused") {
  ResizeProblem problem = row_problem(3, 4, ResizeMode::linear, ResizeCoordinates::align_corners);
  SECTION("dimensions") {
    problem.dimensions = 0;
    testing::require_refused<Resize>(problem, "dimensions");
  }
  SECTION("no input") {
    problem.input[0] = 0;
    testing::require_refused<Resize>(problem, "input[0]");
  }
  SECTION("no output") {
    problem.output[0] = 0;
    testing::require_refused<Resize>(problem, "output[0]");
  }
  SECTION("an extent behind the last dimension") {
    problem.output[1] = 2;
    testing::require_refused<Resize>(problem, "dimensions");
  }
  SECTION("cubic coefficient") {
    problem.cubic_coefficient = 0.5;
    testing::require_refused<Resize>(problem, "cubic_coefficient");
  }
  SECTION("coordinate unit") {
    problem.coordinate_unit = 1;
    testing::require_refused<Resize>(problem, "coordinate_unit");
  }
  SECTION("antialias") {
    problem.antialias = true;
    testing::require_refused<Resize>(problem, "antialias");
  }
  SECTION("format") {
    problem.format = element_format<std::int32_t>();
    testing::require_refused<Resize>(problem, "format");
  }
}
