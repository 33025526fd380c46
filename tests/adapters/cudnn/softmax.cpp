#include "assay/adapters/cudnn/softmax.hpp"

#include "adapters/cudnn/planned_device.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("cuDNN is told a softmax's extents and strides as they are") {
  const auto told = [](Index outer, Index length, Index inner) {
    SoftmaxProblem problem;
    problem.outer = outer;
    problem.length = length;
    problem.inner = inner;
    OperandArray operands = testing::unread_operands(Softmax::operands(problem).value());
    Operand& input = operands[Softmax::input];
    input.strides[0] += 5;  // rows with gaps
    CHECK(detail::cudnn_softmax_refusal(problem, operands) == "");
    const auto tensor = detail::CudnnTensor::make(input);
    REQUIRE(tensor);
    cudnnDataType_t type{};
    std::vector<int> numbers(8);
    REQUIRE(cudnnGetTensor4dDescriptor(tensor.value().handle(), &type, &numbers[0], &numbers[1], &numbers[2],
                                       &numbers[3], &numbers[4], &numbers[5], &numbers[6],
                                       &numbers[7]) == CUDNN_STATUS_SUCCESS);
    CHECK(type == CUDNN_DATA_FLOAT);
    return numbers;
  };
  CHECK(told(4, 10, 1) == std::vector<int>{4, 10, 1, 1, 15, 1, 1, 1});
  CHECK(told(4, 10, 3) == std::vector<int>{4, 10, 3, 1, 35, 3, 1, 1});
}

TEST_CASE("cuDNN is asked for no softmax that it has not") {
  const auto refusal = [](auto change) {
    SoftmaxProblem problem;
    problem.outer = problem.length = 4;
    change(problem);
    return detail::cudnn_softmax_refusal(problem, testing::unread_operands(Softmax::operands(problem).value()));
  };
  CHECK(refusal([](SoftmaxProblem&) {}) == "");
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.masked = true; }), contains("mask"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.temperature = 2; }), contains("temperature"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.output = element_format<bfloat16>(); }),
             contains("one format"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.input = problem.output = element_format<float8_e5m2>(); }),
             contains("e5m2"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.length = 0; }), contains("without elements"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.outer = Index{1} << 32; }), contains("32 bits"));
  CHECK_THAT(refusal([](SoftmaxProblem& problem) { problem.outer = problem.length = 1 << 16; }),
             contains("reaches over"));
}
