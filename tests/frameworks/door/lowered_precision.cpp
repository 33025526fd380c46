#include "assay/frameworks/door/lowered_precision.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

OperatorGraph graph_of(TensorType type) {
  OperatorGraph graph;
  graph.nodes.push_back({"MatMul", {"a", "b"}, {"y"}});
  graph.inputs.push_back({"a", type, {8, 8}});
  graph.inputs.push_back({"b", type, {8, 8}});
  graph.outputs.push_back({"y", type, {8, 8}});
  return graph;
}

std::string lowered(const OperatorGraph& graph, const char* execution) {
  return lowered_text(lowered_nodes(graph, {{"y", "MatMul", "CPU", execution}}));
}

}  // namespace

TEST_CASE("kernels in fewer bits than a graph has anywhere are told") {
  CHECK(lowered(graph_of(TensorType::float32), "brgemm_avx512_bf16") ==
        "MatMul in bf16 (brgemm_avx512_bf16), declared float32");
  CHECK(!lowered(graph_of(TensorType::float32), "jit_gemm_f16").empty());
  CHECK(!lowered(graph_of(TensorType::float64), "ref_any_f32").empty());
  CHECK(!lowered(graph_of(TensorType::int64), "jit_avx512_i32").empty());
  const auto nodes = lowered_nodes(
      graph_of(TensorType::float32),
      {{"a", "MatMul", "CPU", "x_bf16"}, {"b", "MatMul", "CPU", "x_bf16"}, {"c", "Relu", "CPU", "x_f32"}});
  CHECK(nodes.size() == 2);
  CHECK(lowered_text(nodes) == "MatMul in bf16 (x_bf16), declared float32");  // once
}

TEST_CASE("kernels in what a graph has, in more, or in what they do not tell, are none") {
  CHECK(lowered(graph_of(TensorType::float32), "brgemm_avx512_f32").empty());
  CHECK(lowered(graph_of(TensorType::bfloat16), "jit_avx512_f32").empty());
  CHECK(lowered(graph_of(TensorType::float16), "brgemm_avx512_bf16").empty());
  CHECK(lowered(graph_of(TensorType::float32), "").empty());
  CHECK(lowered(graph_of(TensorType::float32), "unknown").empty());
  CHECK(lowered(graph_of(TensorType::float32), "jit_i32").empty());  // its shapes, say
  OperatorGraph product = graph_of(TensorType::int8);
  product.outputs[0].type = TensorType::int32;
  CHECK(lowered(product, "ref_i8").empty());  // reads what it is given
  OperatorGraph ranks = graph_of(TensorType::float32);
  ranks.outputs[0].type = TensorType::int64;
  CHECK(lowered(ranks, "ref_i32").empty());  // indices
  OperatorGraph casting = graph_of(TensorType::float32);
  GraphNode cast{"Cast", {"a"}, {"n"}};
  cast.attributes.emplace_back("to", static_cast<std::int64_t>(TensorType::bfloat16));
  casting.nodes.push_back(cast);
  CHECK(lowered(casting, "jit_avx512_bf16").empty());
}
