#include "assay/kernels/softmax_backward/softmax_backward.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/faults/softmax_backward_faults.hpp"
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
        const auto reference = Softmax::reference(host, stream.value(), forward, operands, RoundingModel::statistical, Arithmetic{});
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
      const auto reference = SoftmaxBackward::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
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
