#include "assay/kernels/optimizer/optimizer.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/validators/faults/optimizer_faults.hpp"
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
