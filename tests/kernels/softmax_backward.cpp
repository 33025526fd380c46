#include "assay/kernels/softmax_backward/softmax_backward.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/faults/softmax_backward_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right gradients of a softmax are not accused") {
  testing::require_correct_kernels_pass<SoftmaxBackward>(0.3);
}

TEST_CASE("every fault of a softmax's gradient is caught by its default suite") {
  testing::require_faults_are_caught<SoftmaxBackward>({"nan_read_as_zero"});
}

TEST_CASE("the gradient of a softmax is the central difference of its reference") {
  Host host(1);
  auto stream = host.make_stream();
  const Index length = 5;
  std::vector<double> x{0.3, -1.2, 2.0, 0.7, -0.4}, weights{1.0, -2.0, 0.5, 3.0, -0.25};
  for (const bool logarithm : {false, true}) {
    for (const double temperature : {1.0, 0.7}) {
      SoftmaxProblem forward;
      forward.length = length;
      forward.logarithm = logarithm;
      forward.temperature = temperature;
      forward.input = forward.output = element_format<float64>();
      const auto outputs = [&] {
        OperandArray operands;
        operands[Softmax::input] = contiguous_operand(x.data(), {1, length});
        const auto reference =
            Softmax::reference(host, stream.value(), forward, operands, RoundingModel::statistical, Arithmetic{});
        REQUIRE(reference);
        std::vector<double> y;
        for (Index i = 0; i < length; ++i) y.push_back(reference.value().expected(0, i).value);
        return y;
      };
      const auto loss = [&] {
        double sum = 0;
        const auto y = outputs();
        for (std::size_t i = 0; i < y.size(); ++i) sum += weights[i] * y[i];
        return sum;
      };
      auto y = outputs();
      SoftmaxBackwardProblem problem;
      problem.length = length;
      problem.logarithm = logarithm;
      problem.temperature = temperature;
      problem.saved = problem.gradient = problem.output = element_format<float64>();
      OperandArray operands;
      operands[SoftmaxBackward::saved] = contiguous_operand(y.data(), {1, length});
      operands[SoftmaxBackward::gradient] = contiguous_operand(weights.data(), {1, length});
      const auto reference =
          SoftmaxBackward::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
      REQUIRE(reference);
      for (Index i = 0; i < length; ++i) {
        const double kept = x[static_cast<std::size_t>(i)], step = 1e-4;
        x[static_cast<std::size_t>(i)] = kept + step;
        const double above = loss();
        x[static_cast<std::size_t>(i)] = kept - step;
        const double below = loss();
        x[static_cast<std::size_t>(i)] = kept;
        CHECK(reference.value().expected(0, i).value == Approx((above - below) / (2 * step)).epsilon(1e-6));
      }
    }
  }
}

namespace {

/// What is accepted of a row's gradients; the portable kernel's are.
[[nodiscard]] std::vector<AcceptanceInterval> accepted_gradients(SoftmaxBackwardProblem problem, std::vector<float> y,
                                                                 std::vector<float> dy) {
  Host host(1);
  auto stream = host.make_stream();
  problem.length = static_cast<Index>(y.size());
  std::vector<float> dx(y.size());
  OperandArray operands;
  operands[SoftmaxBackward::saved] = contiguous_operand(y.data(), {1, problem.length});
  operands[SoftmaxBackward::gradient] = contiguous_operand(dy.data(), {1, problem.length});
  operands[SoftmaxBackward::output] = contiguous_operand(dx.data(), {1, problem.length});
  const auto reference =
      SoftmaxBackward::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{});
  REQUIRE(reference);
  REQUIRE(SoftmaxBackward::portable(host, stream.value(), problem, operands));
  std::vector<AcceptanceInterval> accepted;
  for (Index i = 0; i < problem.length; ++i) {
    accepted.push_back(DerivedTolerance{}.interval<float>(reference.value().expected(0, i)));
    CHECK(accepted.back().contains(dx[static_cast<std::size_t>(i)]));
  }
  return accepted;
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("nothing is known of a softmax's gradient on whose way a difference may overflow") {
  auto accepted = accepted_gradients({}, {0.1F, 0.9F}, {3e38F, -3e38F});
  CHECK(accepted[0].undetermined);
  CHECK_FALSE(accepted[1].undetermined);
  accepted = accepted_gradients({}, {0.1F, 0.9F}, {3e38F, 3e38F});
  CHECK_FALSE(accepted[0].undetermined);
  CHECK_FALSE(accepted[1].undetermined);
}

TEST_CASE(
    "nothing is known of a softmax's gradient that overflows before its division by the temperature and not behind "
    "it") {
  for (const bool logarithm : {false, true}) {
    SoftmaxBackwardProblem problem;
    problem.logarithm = logarithm;
    const std::vector<float> y = logarithm ? std::vector<float>{1, -20} : std::vector<float>{2.5F, 0.5F}, dy{0, -3e38F};
    CHECK(accepted_gradients(problem, y, dy)[0].lower == infinity);
    problem.temperature = 4;
    CHECK(accepted_gradients(problem, y, dy)[0].undetermined);
    CHECK_FALSE(accepted_gradients(problem, y, dy)[1].undetermined);
  }
}

TEST_CASE("nothing is known where an exponential that may be 0 meets an infinite sum of gradients") {
  SoftmaxBackwardProblem problem;
  problem.logarithm = true;
  const auto accepted = accepted_gradients(problem, {-200, -0.5F, -1}, {0.5F, infinity, 1});
  CHECK(accepted[0].undetermined);
  CHECK_FALSE(accepted[1].contains(0));
  CHECK(accepted[2].upper == -infinity);
}

TEST_CASE("nothing is known where an infinite gradient may be added to a sum that has overflowed") {
  SoftmaxBackwardProblem problem;
  problem.logarithm = true;
  auto accepted = accepted_gradients(problem, {-1, -1, -1, -1}, {-3e38F, -3e38F, infinity, 0});
  CHECK(accepted[0].undetermined);
  CHECK_FALSE(accepted[2].contains(0));  // NaN, whatever the sum
  accepted = accepted_gradients(problem, {-1, -1, -1, -1}, {-1e38F, 0, infinity, 0});
  CHECK(accepted[0].upper == -infinity);
}

TEST_CASE("a temperature below 1 divides what underflowed before") {
  SoftmaxBackwardProblem problem;
  problem.temperature = 0x1p-7;
  for (const float gradient : {0x1.3p-130F, 0x1.5p-135F, 0x1.7p-141F})
    for (const auto& interval :
         accepted_gradients(problem, {0x1.1p-9F, 0.3F, 0.6F}, {gradient, -gradient, 0.7F * gradient})) {
      CHECK_FALSE(interval.undetermined);
      CHECK(interval.upper - interval.lower < 0x1p-135);
    }
}

TEST_CASE("problems of a softmax's gradient that cannot be are refused") {
  SoftmaxBackwardProblem problem;
  SECTION("negative extent") {
    problem.outer = -3;
    testing::require_refused<SoftmaxBackward>(problem, "outer");
  }
  SECTION("temperature") {
    problem.temperature = -1;
    testing::require_refused<SoftmaxBackward>(problem, "temperature");
  }
  SECTION("format") {
    problem.gradient = element_format<std::int8_t>();
    testing::require_refused<SoftmaxBackward>(problem, "gradient");
  }
}
