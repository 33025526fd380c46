#include "assay/validators/check_outputs.hpp"

#include <cmath>
#include <limits>

#include "assay/kernels/optimizer/optimizer.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::vector<float> softmax_of(const std::vector<float>& x, std::size_t length) {
  std::vector<float> y(x.size());
  for (std::size_t row = 0; row < x.size(); row += length) {
    double sum = 0;
    for (std::size_t j = 0; j < length; ++j) sum += std::exp(static_cast<double>(x[row + j]));
    for (std::size_t j = 0; j < length; ++j)
      y[row + j] = static_cast<float>(std::exp(static_cast<double>(x[row + j])) / sum);
  }
  return y;
}

std::vector<float> ramp(std::size_t size) {
  std::vector<float> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<float>(i % 7) * 0.25F - 1;
  return x;
}

const SoftmaxProblem rows_of_ten{.outer = 6, .length = 10};

}  // namespace

TEST_CASE("right outputs pass and one wrong element fails, with its place and values") {
  const std::vector<float> x = ramp(60);
  std::vector<float> y = softmax_of(x, 10);
  const Outcome right = check_outputs<Softmax>(rows_of_ten, {{x, {6, 10}}, {y, {6, 10}}});
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.id == "softmax/given/f32.f32/6x10x1/given");
  CHECK(right.measurement(measurement::elements) == 60);
  y[23] += 1;
  const Outcome wrong = check_outputs<Softmax>(rows_of_ten, {{x, {6, 10}}, {y, {6, 10}}});
  CHECK(wrong.verdict == Verdict::fail);
  CHECK_THAT(wrong.reason, contains("1 of 60 elements") && contains("[2, 3]: actual 1.") && contains("accepted 0."));
}

TEST_CASE("strides, splits of dimensions and pointers are read as they are") {
  const std::vector<float> x = ramp(60), y = softmax_of(x, 10);
  std::vector<float> wide(6 * 16, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < 60; ++i) wide[i / 10 * 16 + i % 10] = y[i];
  CHECK(check_outputs<Softmax>(rows_of_ten, {{x, {2, 3, 10}}, {wide, {6, 10}, {16, 1}}}).verdict == Verdict::pass);
  CHECK(check_outputs<Softmax>(rows_of_ten, {{x.data(), {6, 1, 10}}, {y.data(), {6, 10}}}).verdict == Verdict::pass);
  CHECK(check_outputs<Softmax>(rows_of_ten, {{x, {6, 10}}, {wide, {6, 10}}}).verdict != Verdict::pass);
}

TEST_CASE("tensors that do not fit are refused, not judged") {
  const std::vector<float> x = ramp(60), y = softmax_of(x, 10);
  const std::vector<double> doubles(60);
  const float* const null = nullptr;
  const auto refused = [&](const std::vector<GivenTensor>& tensors, const SoftmaxProblem& problem = rows_of_ten) {
    const Outcome outcome = check_outputs<Softmax>(problem, tensors);
    CHECK(outcome.verdict == Verdict::error);
    CHECK(outcome.measurements.empty());
    return outcome.reason;
  };
  CHECK_THAT(refused({{x, {6, 10}}}),
             contains("1 tensors were given") && contains("input f32[6x10], output f32[6x10]"));
  CHECK_THAT(refused({{x, {10, 6}}, {y, {6, 10}}}), contains("input has extents [10x6]") && contains("transposed"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {60}}}), contains("output has extents [60]"));
  CHECK_THAT(refused({{x, {6, 10}}, {doubles, {6, 10}}}), contains("output has format f64"));
  CHECK_THAT(refused({{x, {6, 10}}, {null, {6, 10}}}), contains("output is a null pointer for 60 elements"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {6, 10}, {16, 1}}}), contains("memory of 60 elements") && contains("to 89"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {6, 10}, {-1, 1}}}), contains("reach from element -5"));
  CHECK_THAT(refused({{x, {6, 10}}, {x, {6, 10}}}),
             contains("input and output share memory") || contains("output and input share memory"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {6, 10}, {1}}}), contains("1 strides for 2 extents"));
  CHECK_THAT(refused({{x, {-6, 10}}, {y, {6, 10}}}), contains("extents are 0 or more"));
  CHECK_THAT(refused({{x, {1, 1, 1, 1, 1, 6, 10}}, {y, {6, 10}}}), contains("7 dimensions"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {Index{1} << 40, Index{1} << 40}}}), contains("beyond every memory"));
  CHECK_THAT(refused({{x, {6, 10}}, {y, {6, 10}}}, {.outer = 6, .length = 10, .temperature = -1}),
             contains("temperature"));
}

TEST_CASE("nothing to compute passes; NaN is held against NaN") {
  const std::vector<float> none;
  CHECK(check_outputs<Softmax>({.outer = 0, .length = 10}, {{none, {0, 10}}, {none, {0, 10}}}).verdict ==
        Verdict::pass);
  std::vector<float> x = ramp(60);
  std::vector<float> y = softmax_of(x, 10);
  x[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_outputs<Softmax>(rows_of_ten, {{x, {6, 10}}, {y, {6, 10}}}).verdict == Verdict::fail);
  for (std::size_t i = 0; i < 10; ++i) y[i] = x[5];
  CHECK(check_outputs<Softmax>(rows_of_ten, {{x, {6, 10}}, {y, {6, 10}}}).verdict == Verdict::pass);
}

TEST_CASE("operands that are updated in place need what they held before") {
  const OptimizerProblem problem;
  const auto specs = Optimizer::operands(problem);
  REQUIRE(specs.has_value());
  std::vector<GivenTensor> tensors;
  std::vector<std::vector<double>> memory;
  memory.reserve(specs.value().size());
  bool updates = false;
  for (const OperandSpec& spec : specs.value()) {
    updates = updates || spec.role == OperandRole::updated;
    if (spec.present) tensors.emplace_back(memory.emplace_back(1024).data(), spec.format, spec.extents);
  }
  REQUIRE(updates);
  const Outcome outcome = check_outputs<Optimizer>(problem, tensors);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("set `before`"));
}
