#include "assay/plugin/plugin_request.hpp"

#include <algorithm>

#include "assay/kernels/normalization_backward/normalization_backward.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

const PluginAttribute& attribute(const std::vector<PluginAttribute>& attributes, const std::string& name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const PluginAttribute& each) { return each.name == name; });
  REQUIRE(found != attributes.end());
  return *found;
}

}  // namespace

TEST_CASE("a problem's members become attributes: numbers, truth values, choices and formats") {
  SoftmaxProblem problem;
  problem.outer = 4;
  problem.length = 1000;
  problem.temperature = 0.5;
  problem.logarithm = true;
  problem.fully_masked = FullyMasked::zeros;
  problem.input = element_format<bfloat16>();
  const auto attributes = plugin_attributes(problem);
  CHECK(attributes.size() == 9);
  CHECK(attribute(attributes, "length").kind == PluginAttributeKind::integer);
  CHECK(attribute(attributes, "length").integer == 1000);
  CHECK(attribute(attributes, "length").real == 1000);
  CHECK(attribute(attributes, "length").text == "1000");
  CHECK(attribute(attributes, "temperature").kind == PluginAttributeKind::real);
  CHECK(attribute(attributes, "temperature").real == 0.5);
  CHECK(attribute(attributes, "logarithm").kind == PluginAttributeKind::integer);
  CHECK(attribute(attributes, "logarithm").integer == 1);
  CHECK(attribute(attributes, "logarithm").text == "true");
  CHECK(attribute(attributes, "masked").integer == 0);
  CHECK(attribute(attributes, "fully_masked").kind == PluginAttributeKind::text);
  CHECK(attribute(attributes, "fully_masked").text == "zeros");
  CHECK(attribute(attributes, "input").text == "bf16");
}

TEST_CASE("members of members have their whole path for a name") {
  NormalizationBackwardProblem problem;
  problem.forward.channels = 7;
  CHECK(attribute(plugin_attributes(problem), "forward.channels").integer == 7);
}

TEST_CASE("a request has the operation's tensors in their order, absent ones as such") {
  SoftmaxProblem problem;
  problem.outer = 2;
  problem.length = 3;
  float input[6] = {}, output[6] = {};
  OperandArray operands;
  operands.count = 3;
  operands[0] = contiguous_operand(input, {2, 3});
  operands[2] = contiguous_operand(output, {2, 3});
  const auto request = plugin_request<Softmax>(problem, operands);
  REQUIRE(request);
  CHECK(request.value().operation == "softmax");
  CHECK(request.value().problem == "2x3x1");
  CHECK(request.value().formats == "f32.f32");
  REQUIRE(request.value().tensors.size() == 3);
  CHECK(request.value().tensors[0].name == "input");
  CHECK(request.value().tensors[0].operand.data == input);
  CHECK_FALSE(request.value().tensors[1].operand.present());
  CHECK(request.value().tensors[2].role == OperandRole::output);
  CHECK_FALSE(request.value().is_double());
  problem.outer = -1;
  REQUIRE_FALSE(plugin_request<Softmax>(problem, operands));
  CHECK(plugin_request<Softmax>(problem, operands).error().kind == ErrorKind::invalid);
}

TEST_CASE("a GEMM's views become tensors, and C is updated where it is read") {
  using Op = Gemm<float64, float64, float64, float64>;
  double a[6] = {}, b[3] = {}, c[2] = {};
  GemmArguments<float64, float64, float64> arguments;
  arguments.a = {a, {1, 2, 3}, {6, 1, 2}};
  arguments.b = {b, {1, 3, 1}, {3, 1, 1}};
  arguments.c = {c, {1, 2, 1}, {2, 1, 1}};
  GemmProblem problem;
  problem.m = 2;
  problem.n = 1;
  problem.k = 3;
  problem.transpose_a = true;
  PluginRequest request = plugin_request(Op{}, problem, arguments);
  CHECK(request.operation == "gemm");
  CHECK(request.problem == "m2-n1-k3-tn-row");
  CHECK(request.is_double());
  REQUIRE(request.tensors.size() == 3);
  CHECK(request.tensors[0].name == "A");
  CHECK(request.tensors[0].operand.strides[2] == 2);
  CHECK(request.tensors[2].role == OperandRole::output);
  CHECK(attribute(request.attributes, "transpose_a").integer == 1);
  problem.beta = 2;
  CHECK(plugin_request(Op{}, problem, arguments).tensors[2].role == OperandRole::updated);
}
