#include "assay/frameworks/stablehlo/write_stablehlo.hpp"

#include <string>

#include "assay/frameworks/operations/all_operation_graphs.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

OperatorGraph one_node(const char* operation, TensorType type, std::vector<std::int64_t> extents) {
  OperatorGraph graph;
  graph.nodes.push_back({operation, {"x"}, {"y"}});
  graph.inputs.push_back({"x", type, extents});
  graph.outputs.push_back({"y", type, extents});
  return graph;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an operator that StableHLO has is one operation, and the module names what goes in and out") {
  const auto module = write_stablehlo(one_node("Tanh", TensorType::bfloat16, {2, 3}));
  REQUIRE(module);
  CHECK(module.value() ==
        "module @assay {\n"
        "  func.func public @main(%x: tensor<2x3xbf16>) -> (tensor<2x3xbf16> {jax.result_info = \"y\"}) {\n"
        "    %v0 = stablehlo.tanh %x : tensor<2x3xbf16>\n"
        "    return %v0 : tensor<2x3xbf16>\n"
        "  }\n"
        "}\n");
}

TEST_CASE("products sum as they say, from factors as they are stored") {
  const ElementFormat f32 = element_format<float32>(), bf16 = element_format<bfloat16>();
  const GemmProblem problem{2, 3, 5};
  const auto mixed = write_stablehlo(gemm_graph(problem, bf16, bf16, f32, f32).value().model.graph);
  REQUIRE(mixed);
  CHECK(has(mixed.value(),
            "dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<2x5xbf16>, tensor<5x3xbf16>) "
            "-> tensor<2x3xf32>"));
  const auto highest = write_stablehlo(gemm_graph(problem, f32, f32, f32, f32).value().model.graph, {true});
  REQUIRE(highest);
  CHECK(has(highest.value(), "precision = [HIGHEST, HIGHEST]"));
  GemmProblem scaled = problem;
  scaled.alpha = 2;
  scaled.beta = 0.5;
  scaled.transpose_b = true;
  const auto gemm = write_stablehlo(gemm_graph(scaled, bf16, bf16, f32, bf16).value().model.graph);
  REQUIRE(gemm);
  CHECK(has(gemm.value(), "contracting_dims = [1] x [1] : (tensor<2x5xbf16>, tensor<3x5xbf16>) -> tensor<2x3xf32>"));
}

TEST_CASE("a softmax of 16 bits is computed in float32 between two roundings") {
  OperatorGraph graph = one_node("Softmax", TensorType::float16, {4, 8});
  graph.nodes[0].attributes.emplace_back("axis", std::int64_t{1});
  const auto module = write_stablehlo(graph);
  REQUIRE(module);
  CHECK(has(module.value(), "stablehlo.convert %x : (tensor<4x8xf16>) -> tensor<4x8xf32>"));
  CHECK(has(module.value(), "stablehlo.exponential"));
  CHECK(has(module.value(), "applies stablehlo.maximum across dimensions = [1]"));
}

TEST_CASE("constants are written bit by bit") {
  OperatorGraph graph = one_node("Add", TensorType::float32, {2});
  graph.nodes[0].inputs.emplace_back("c");
  graph.constants.push_back(tensor_of_values("c", TensorType::float32, {2}, {1, -2}));
  CHECK(has(write_stablehlo(graph).value(), "dense<\"0x0000803F000000C0\"> : tensor<2xf32>"));
  graph.constants[0] = tensor_of_values("c", TensorType::float32, {}, {1});
  CHECK(has(write_stablehlo(graph).value(), "dense<0x3F800000> : tensor<f32>"));
}

TEST_CASE("what cannot be said is refused with what it is") {
  const auto unknown = write_stablehlo(one_node("NonMaxSuppression", TensorType::float32, {2}));
  REQUIRE(!unknown);
  CHECK(unknown.error().kind == ErrorKind::unsupported);
  CHECK(has(unknown.error().message, "NonMaxSuppression"));
  CHECK(write_stablehlo(one_node("Tanh", TensorType::float4e2m1, {2})).error().kind == ErrorKind::unsupported);
  CHECK(write_stablehlo(one_node("Tanh", TensorType::float32, {-1})).error().kind == ErrorKind::unsupported);
  OperatorGraph graph = one_node("Tanh", TensorType::float32, {2});
  graph.nodes[0].inputs[0] = "nowhere";
  CHECK(write_stablehlo(graph).error().kind == ErrorKind::invalid);
  graph = one_node("Tanh", TensorType::float32, {2});
  graph.outputs[0].extents = {3};
  CHECK(write_stablehlo(graph).error().kind == ErrorKind::invalid);
  graph = one_node("Tanh", TensorType::float32, {2});
  graph.inputs[0].name = graph.nodes[0].inputs[0] = "x\") { evil";
  CHECK(write_stablehlo(graph).error().kind == ErrorKind::unsupported);
  CHECK(has_stablehlo("Conv"));
  CHECK(!has_stablehlo("Loop"));
}
