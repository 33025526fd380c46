#include "assay/adapters/miopen/softmax.hpp"

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

OperandArray operands_of(const SoftmaxProblem& problem) {
  OperandArray operands;
  static float element = 0;
  for (const int position : {Softmax::input, Softmax::output}) {
    operands[position] = contiguous_operand(&element, {problem.outer, problem.length, problem.inner});
    operands[position].format = problem.input;
  }
  return operands;
}

}  // namespace

TEST_CASE("MIOpen is told a softmax's extents and strides as they are") {
  SoftmaxProblem problem;
  problem.outer = 4;
  problem.length = 10;
  problem.inner = 3;
  OperandArray operands = operands_of(problem);
  operands[Softmax::input].strides[0] += 5;
  CHECK(detail::miopen_softmax_refusal(problem, operands) == "");
  const auto tensor = detail::MiOpenTensor::make(operands[Softmax::input]);
  REQUIRE(tensor);
#if defined(ASSAY_TEST_WITH_ROCM_STUBS)
  const miopenTensorDescriptor& told = *tensor.value().handle();
  CHECK(told.type == miopenFloat);
  const int extents[] = {4, 10, 3, 1}, strides[] = {35, 3, 1, 1};
  for (int d = 0; d < 4; ++d) {
    CHECK(told.extents[d] == extents[d]);
    CHECK(told.strides[d] == strides[d]);
  }
#endif
}

TEST_CASE("MIOpen is asked for no softmax that it has not") {
  const auto refusal = [](auto change) {
    SoftmaxProblem problem;
    problem.outer = problem.length = 4;
    change(problem);
    return detail::miopen_softmax_refusal(problem, operands_of(problem));
  };
  CHECK(refusal([](SoftmaxProblem&) {}) == "");
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.masked = true; }), contains("MIOpen's softmax has no mask"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.input = problem.output = element_format<float64>(); }),
             contains("f64"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.length = 0; }), contains("without elements"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.outer = Index{1} << 40; }), contains("32 bits"));
}
