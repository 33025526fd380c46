#include "assay/kernels/optimizer/optimizer.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "assay/faults/optimizer_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Largest error / allowed: sgd 0.99, adam and adamw 0.90, both by kernels that keep their states in 16 bits.
TEST_CASE("right optimizer steps are not accused") {
  testing::require_correct_kernels_pass<Optimizer>(0.6, 150);
}

TEST_CASE("every fault of an optimizer step is caught by its default suite") {
  testing::require_faults_are_caught<Optimizer>();
}

namespace {
struct Weights {
  float gradient = 0.5F, weight = 2, first = 0.25F, second = 0.125F;

  OptimizerExpected expected(const OptimizerProblem& problem) {
    return {problem,
            BoundedArithmetic(Arithmetic{}),
            Arithmetic{}.unit_roundoff(),
            contiguous_operand(&gradient, {1}),
            contiguous_operand(&weight, {1}),
            contiguous_operand(&first, {1}),
            contiguous_operand(&second, {1})};
  }
};
constexpr float infinity = std::numeric_limits<float>::infinity();

AcceptanceInterval accepted(const OptimizerExpected& expected) {
  return DerivedTolerance{}.interval<float>(expected(0, 0));
}
}  // namespace

TEST_CASE("optimizer steps are their definitions") {
  Weights weights;
  OptimizerProblem problem;
  problem.learning_rate = 0.1;
  problem.weight_decay = 0.5;
  problem.step = 3;
  SECTION("sgd") {
    problem.kind = OptimizerKind::sgd;
    const auto step = weights.expected(problem).step(0);
    CHECK(step.first.value == Approx(0.9 * 0.25 + 1.5));
    CHECK(step.weight.value == Approx(2 - 0.1 * (0.9 * 0.25 + 1.5)));
    problem.nesterov = true;
    CHECK(weights.expected(problem).step(0).weight.value == Approx(2 - 0.1 * (1.5 + 0.9 * (0.9 * 0.25 + 1.5))));
    problem.step = 1;
    CHECK(weights.expected(problem).step(0).first.value == Approx(1.5));
  }
  SECTION("adam") {
    problem.kind = OptimizerKind::adam;
    const double m = 0.9 * 0.25 + 0.1 * 1.5, v = 0.999 * 0.125 + 0.001 * 2.25;
    const auto step = weights.expected(problem).step(0);
    CHECK(step.first.value == Approx(m));
    CHECK(step.second.value == Approx(v));
    CHECK(step.weight.value == Approx(2 - 0.1 * (m / (1 - 0.729)) / (std::sqrt(v / (1 - std::pow(0.999, 3))) + 1e-8)));
  }
  SECTION("adamw") {
    const double m = 0.9 * 0.25 + 0.1 * 0.5, v = 0.999 * 0.125 + 0.001 * 0.25;
    CHECK(weights.expected(problem).step(0).weight.value ==
          Approx(2 * 0.95 - 0.1 * (m / (1 - 0.729)) / (std::sqrt(v / (1 - std::pow(0.999, 3))) + 1e-8)));
  }
}

TEST_CASE("a gradient is off by the division that takes its loss scale away") {
  Weights weights;
  OptimizerProblem problem;
  problem.kind = OptimizerKind::sgd;
  problem.step = 1;
  problem.loss_scale = 3;
  const Bounded velocity = weights.expected(problem).step(0).first;
  CHECK(velocity.value == Approx(0.5 / 3));
  CHECK(velocity.error > velocity.value * Arithmetic{}.function_error());
}

TEST_CASE("corrections by powers of a single-precision beta are right") {
  OptimizerProblem problem;
  problem.learning_rate = 0.01;
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0, 1);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    problem.step = 1 + static_cast<Index>(random() % 5000);
    Weights x{0.01F * normal(random), 0.05F * normal(random), 0.01F * normal(random), 2e-4F * uniform(random)};
    const float beta1 = 0.9F, beta2 = 0.999F, step = static_cast<float>(problem.step);
    const float m = beta1 * x.first + (1 - beta1) * x.gradient,
                v = beta2 * x.second + (1 - beta2) * x.gradient * x.gradient;
    const float mean = m / (1 - std::pow(beta1, step)), square = v / (1 - std::pow(beta2, step));
    const float made = x.weight - 0.01F * (mean / (std::sqrt(square) + 1e-8F));
    const OptimizerExpected expected = x.expected(problem);
    worst = std::max(worst, DerivedTolerance{}.error_ratio(made, expected(0, 0)));
    REQUIRE(accepted(expected).contains(static_cast<double>(made)));
  }
  CHECK(worst > 0.2);
}

TEST_CASE("a late step's correction adds little to the error of its weight") {
  Weights weights{0.01F, 0.05F, 0.01F, 1e-4F};
  OptimizerProblem problem;
  for (const Index step : {10, 100, 1000, 10000}) {
    problem.step = step;
    CHECK(weights.expected(problem).step(0).weight.error < 1e-3 * 1e-3);  // a thousandth of the step
  }
}

TEST_CASE("a step whose numerator underflows before it is divided is right") {
  Weights weights{0, 0, 0x1p-145F, 0};
  OptimizerProblem problem;
  problem.step = 10;
  const float rate = 1e-3F / static_cast<float>(1 - std::pow(0.9, 10));
  const float moved = -(rate * (0.9F * weights.first)) / 1e-8F;
  CHECK(moved == 0);
  CHECK(accepted(weights.expected(problem)).contains(static_cast<double>(moved)));
  CHECK(accepted(weights.expected(problem)).contains(weights.expected(problem).step(0).weight.value));
  CHECK_FALSE(accepted(weights.expected(problem)).contains(1e-36));
}

TEST_CASE("an infinity that one form of a step makes and another does not is left open") {
  Weights weights;
  OptimizerProblem problem;
  problem.step = 10;
  SECTION("a decay by a product or a difference") {
    weights.weight = infinity;
    problem.weight_decay = 0.01;
    CHECK(accepted(weights.expected(problem)).undetermined);
  }
  SECTION("a moment by products or a difference") {
    weights.first = infinity;
    OptimizerExpected expected = weights.expected(problem);
    CHECK(accepted(expected).undetermined);
    expected.output = 1;
    CHECK(accepted(expected).undetermined);
    expected.output = 2;
    CHECK_FALSE(accepted(expected).undetermined);
  }
  SECTION("a rate that is 0 in the accumulator") {
    problem.kind = OptimizerKind::sgd;
    problem.momentum = 0;
    problem.learning_rate = 1e-46;
    weights.gradient = infinity;
    CHECK(accepted(weights.expected(problem)).undetermined);
  }
}

TEST_CASE("infinities and NaN that every form of a step makes stay demanded") {
  Weights weights;
  OptimizerProblem problem;
  problem.step = 10;
  problem.half_weights = true;
  const auto expected = [&](int output) {
    OptimizerExpected step = weights.expected(problem);
    step.output = output;
    return accepted(step);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SECTION("sgd") {
    problem.kind = OptimizerKind::sgd;
    weights.gradient = infinity;
    CHECK(expected(0).contains(-static_cast<double>(infinity)));
    CHECK(expected(3).contains(-static_cast<double>(infinity)));
    CHECK_FALSE(expected(0).contains(0));
    CHECK_FALSE(expected(3).contains(0));
  }
  SECTION("an infinite gradient") {
    weights.gradient = infinity;
    CHECK_FALSE(expected(1).contains(0));
    CHECK_FALSE(expected(2).contains(0));
    CHECK(expected(2).contains(static_cast<double>(infinity)));
    CHECK_FALSE(expected(0).contains(0));
    CHECK(expected(0).contains(nan));
  }
  SECTION("a gradient of NaN") {
    weights.gradient = std::numeric_limits<float>::quiet_NaN();
    for (const int output : {0, 1, 2, 3}) {
      CHECK(expected(output).contains(nan));
      CHECK_FALSE(expected(output).contains(0));
    }
  }
  SECTION("weights") {
    weights.weight = infinity;
    CHECK(expected(0).contains(static_cast<double>(infinity)));
    CHECK_FALSE(expected(0).contains(0));
    weights.weight = std::numeric_limits<float>::quiet_NaN();
    problem.weight_decay = 0.01;
    CHECK_FALSE(expected(0).contains(0));
  }
  SECTION("an infinite second moment stops the weight") {
    weights.second = infinity;
    CHECK(expected(0).contains(2));
    CHECK_FALSE(expected(0).contains(1.99));
  }
}

TEST_CASE("optimizers that cannot be are refused") {
  OptimizerProblem problem;
  SECTION("count") {
    problem.count = -1;
    testing::require_refused<Optimizer>(problem, "count");
  }
  SECTION("step") {
    problem.step = 0;
    testing::require_refused<Optimizer>(problem, "step");
  }
  SECTION("beta") {
    problem.beta2 = 1;
    testing::require_refused<Optimizer>(problem, "beta2");
  }
  SECTION("learning rate") {
    problem.learning_rate = std::numeric_limits<double>::infinity();
    testing::require_refused<Optimizer>(problem, "learning_rate");
  }
  SECTION("loss scale") {
    problem.loss_scale = 0;
    testing::require_refused<Optimizer>(problem, "loss_scale");
  }
  SECTION("nesterov of adam") {
    problem.nesterov = true;
    testing::require_refused<Optimizer>(problem, "nesterov");
  }
  SECTION("format") {
    problem.state = element_format<std::int32_t>();
    testing::require_refused<Optimizer>(problem, "state");
  }
}
