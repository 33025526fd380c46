#include "assay/training/adamw.hpp"

#include <cmath>
#include <vector>

#include "assay/kernels/optimizer/reference.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

float random_float(std::uint64_t i, std::uint64_t stream) {
  return static_cast<float>(standard_normal(random_bits(7, i, stream)));
}

}  // namespace

TEST_CASE("steps of AdamW lie within the bounds of the reference kernel") {
  const Index count = 500;
  for (const Index step : {Index{1}, Index{7}, Index{1000}}) {
    AdamW optimizer;
    optimizer.weight_decay = 0.1;
    std::vector<float> weights, gradient, first, second;
    for (std::uint64_t i = 0; i < count; ++i) {
      weights.push_back(random_float(i, 0));
      gradient.push_back(0.01f * random_float(i, 1));
      first.push_back(step == 1 ? 0 : 0.01f * random_float(i, 2));
      second.push_back(step == 1 ? 0 : 1e-4f * std::fabs(random_float(i, 3)));
    }
    OptimizerProblem problem;
    problem.count = count;
    problem.step = step;
    problem.learning_rate = optimizer.learning_rate;
    problem.weight_decay = optimizer.weight_decay;
    problem.beta1 = optimizer.beta1;
    problem.beta2 = optimizer.beta2;
    problem.epsilon = optimizer.epsilon;
    std::vector<float> new_weights = weights, new_first = first, new_second = second;
    adamw_step(optimizer, step, gradient, new_weights, new_first, new_second);
    OptimizerExpected expected{problem,
                               BoundedArithmetic(Arithmetic{}),
                               Arithmetic{}.unit_roundoff(),
                               contiguous_operand(gradient.data(), {count}),
                               contiguous_operand(weights.data(), {count}),
                               contiguous_operand(first.data(), {count}),
                               contiguous_operand(second.data(), {count})};
    const std::vector<float>* outputs[] = {&new_weights, &new_first, &new_second};
    for (expected.output = 0; expected.output < 3; ++expected.output)
      for (Index i = 0; i < count; ++i) {
        const ExpectedElement element = expected(0, i);
        const double computed = static_cast<double>((*outputs[expected.output])[static_cast<std::size_t>(i)]);
        REQUIRE(std::fabs(computed - element.value) <= element.error + 0x1p-24 * std::fabs(element.value));
        REQUIRE(element.error < 1e-5);
      }
    std::vector<float> uncorrected = weights;
    new_first = first, new_second = second;
    optimizer.bias_correction = false;
    adamw_step(optimizer, step, gradient, uncorrected, new_first, new_second);
    CHECK((uncorrected != new_weights) == (step < 1000));
  }
}

TEST_CASE("any part of the weights may be updated alone, to the same bits") {
  std::vector<float> weights, gradient, first(37, 0.01f), second(37, 0.02f);
  for (std::uint64_t i = 0; i < 37; ++i) {
    weights.push_back(random_float(i, 0));
    gradient.push_back(random_float(i, 1));
  }
  std::vector<float> whole = weights, whole_first = first, whole_second = second;
  adamw_step({}, 3, gradient, whole, whole_first, whole_second);
  for (std::size_t begin = 0; begin < 37; begin += 5) {
    const std::size_t count = std::min<std::size_t>(5, 37 - begin);
    adamw_step({}, 3, std::span<const float>(gradient).subspan(begin, count),
               std::span<float>(weights).subspan(begin, count), std::span<float>(first).subspan(begin, count),
               std::span<float>(second).subspan(begin, count));
  }
  CHECK(weights == whole);
  CHECK(first == whole_first);
  CHECK(second == whole_second);
  CHECK_THROWS_AS(adamw_step({}, 1, gradient, weights, first, std::span<float>(second).first(36)), Misuse);
}
