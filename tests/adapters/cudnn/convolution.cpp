#include "assay/adapters/cudnn/convolution.hpp"

#include "adapters/cudnn/planned_device.hpp"
#include "adapters/cudnn/told.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

double small_integer(std::size_t operand, Index element) {
  return static_cast<double>((element * 7 + static_cast<Index>(operand) * 5 + element / 11) % 5 - 2);
}

double told_otherwise(const ConvolutionProblem& problem, Index gap) {
  return testing::told_otherwise<Convolution>(problem, gap, small_integer, [&](const OperandArray& operands) {
    return detail::CudnnConvolution(problem, operands).graph();
  });
}

ConvolutionProblem plain() {
  ConvolutionProblem problem;
  problem.batch = 2;
  problem.input_channels = 4;
  problem.output_channels = 6;
  problem.axes[0] = {.input = 7, .kernel = 3, .stride = 2, .padding_before = 1, .padding_after = 2};
  problem.axes[1] = {.input = 6, .kernel = 2, .dilation = 2, .padding_before = 0, .padding_after = 1};
  return problem;
}

}  // namespace

TEST_CASE(
    "cuDNN is told convolutions as they are: every pass, plain and transposed, both layouts, groups, 1 to 3 axes, "
    "gaps") {
  int told = 0;
  for (const auto pass : {ConvolutionPass::forward, ConvolutionPass::backward_data, ConvolutionPass::backward_weights})
    for (const bool transposed : {false, true})
      for (const auto layout : {ConvolutionLayout::channels_first, ConvolutionLayout::channels_last})
        for (const int dimensions : {1, 2, 3})
          for (const Index gap : {0, 3}) {
            ConvolutionProblem problem = plain();
            problem.pass = pass;
            problem.transposed = transposed;
            problem.layout = layout;
            problem.dimensions = dimensions;
            problem.groups = dimensions == 2 ? 2 : 1;
            problem.axes[2] = {.input = 4, .kernel = 2};
            if (transposed) problem.axes[0].output_padding = 1;
            INFO(Convolution::operation_of(problem) << " " << name_of(problem) << ", gap " << gap);
            CHECK(told_otherwise(problem, gap) == 0);
            ++told;
          }
  CHECK(told == 72);
}

TEST_CASE("A bias is added behind the convolution, a channel each") {
  ConvolutionProblem problem = plain();
  problem.bias = true;
  CHECK(told_otherwise(problem, 0) == 0);
  problem.layout = ConvolutionLayout::channels_last;
  CHECK(told_otherwise(problem, 2) == 0);
}

TEST_CASE("cuDNN plans the default suite's convolutions for an H200 that is not there") {
  const detail::CudnnDescriptor device = testing::h200();
  if (!device.status()) {
    WARN("this cuDNN, " << Cudnn::version()
                        << ", plans for devices only that are there: " << device.status().error().message);
    return;
  }
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()}) {
    int planned = 0, refused = 0;
    std::string reason;
    const auto shapes = Convolution::shapes(format);
    for (std::size_t entry = 0; entry < shapes.size(); entry += 5) {
      const ConvolutionProblem& problem = shapes[entry].problem;
      if (shapes[entry].large || problem.batch == 0 || problem.bias) continue;
      const OperandArray operands = testing::unread_operands(Convolution::operands(problem).value());
      const detail::CudnnConvolution convolution(problem, operands);
      const auto graph = convolution.graph();
      const auto plan = detail::CudnnPlan::make(graph, {.properties = &device}, convolution.rules(), name_of(problem));
      ++(plan ? planned : refused);
      if (!plan) reason = plan.error().message;
    }
    INFO(format.name << ": " << planned << " planned, " << refused << " refused, such as: " << reason);
    CHECK(planned >= 5);
    CHECK(planned > refused);
  }
}

TEST_CASE("Engines of another arithmetic than the problem's are not taken") {
  ConvolutionProblem problem = plain();
  const auto rules = [&] { return detail::CudnnConvolution(problem, {}).rules(); };
  CHECK_THAT(rules().refusal({CUDNN_NUMERICAL_NOTE_WINOGRAD}), contains("Winograd"));
  CHECK_THAT(rules().refusal({CUDNN_NUMERICAL_NOTE_FFT}), contains("Fourier"));
  CHECK_THAT(rules().refusal({CUDNN_NUMERICAL_NOTE_TENSOR_CORE}), contains("tensor cores"));
  CHECK(rules().refusal({CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}) == "");
  problem.input = problem.weights = problem.output = element_format<float16>();
  CHECK(rules().refusal({CUDNN_NUMERICAL_NOTE_TENSOR_CORE}) == "");
  CHECK_THAT(rules().refusal({CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION}), contains("output's format"));
  problem.algorithm = ConvolutionAlgorithm::winograd;
  CHECK(rules().refusal({CUDNN_NUMERICAL_NOTE_WINOGRAD}) == "");
  CHECK_THAT(rules().refusal({}), contains("asks for"));
}

TEST_CASE("Formats that cuDNN is not asked for are refused by name") {
  ConvolutionProblem problem = plain();
  problem.input = element_format<float8_e5m2>();
  const auto graph =
      detail::CudnnConvolution(problem, testing::unread_operands(Convolution::operands(problem).value())).graph();
  REQUIRE_FALSE(graph.status());
  CHECK(graph.status().error().kind == ErrorKind::unsupported);
  CHECK_THAT(graph.status().error().message, contains("e5m2"));
}

TEST_CASE("Plans are found again by what was planned, not by where it lies") {
  ConvolutionProblem problem = plain();
  const auto signature = [&](Index shift) {
    OperandArray operands = testing::unread_operands(Convolution::operands(problem).value());
    operands[0].data = static_cast<char*>(operands[0].data) + shift;
    return detail::CudnnConvolution(problem, operands).graph().signature();
  };
  const std::string first = signature(0);
  CHECK(signature(4096) == first);
  CHECK(signature(4) != first);  // another alignment
  problem.axes[0].padding_after = 1;
  CHECK(signature(0) != first);
}
