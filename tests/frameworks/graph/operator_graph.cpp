#include "assay/frameworks/graph/operator_graph.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::string fault_of(const OperatorGraph& graph) {
  const auto checked = check_graph(graph);
  return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("a graph is right, or what is wrong with it is named") {
  OperatorGraph graph;
  graph.inputs.push_back({"x", TensorType::float32, {2}});
  graph.nodes = {{"Relu", {"x"}, {"a"}}, {"Add", {"a", "x"}, {"y", ""}}, {"Resize", {"y", ""}, {"z"}}};
  graph.outputs.push_back({"z", TensorType::float32, {2}});
  CHECK(fault_of(graph).empty());
  OperatorGraph other = graph;
  std::swap(other.nodes[0], other.nodes[1]);
  CHECK(fault_of(other).find("a cycle") != std::string::npos);
  other = graph;
  other.nodes[0].inputs[0] = "a";
  CHECK(fault_of(other).find("a cycle") != std::string::npos);
  other = graph;
  other.nodes[1].inputs[1] = "w";
  CHECK(fault_of(other).find("'w', which nothing gives") != std::string::npos);
  other = graph;
  other.nodes[1].outputs[0] = "a";
  CHECK(fault_of(other).find("second time") != std::string::npos);
  other = graph;
  other.outputs[0].name = "v";
  CHECK(fault_of(other).find("'v'") != std::string::npos);
  other = graph;
  other.nodes[0].operation.clear();
  CHECK(fault_of(other).find("no operator") != std::string::npos);
}

TEST_CASE("graphs within may read what is around them") {
  OperatorGraph inner;
  inner.nodes = {{"Neg", {"x"}, {"b"}}};
  inner.outputs.push_back({"b", TensorType::float32, {2}});
  OperatorGraph graph;
  graph.inputs = {{"x", TensorType::float32, {2}}, {"c", TensorType::boolean, {}}};
  graph.nodes = {{"If", {"c"}, {"y"}}};
  GraphAttribute branch;
  branch.name = "then_branch";
  branch.kind = AttributeKind::graph;
  branch.graphs.push_back(inner);
  graph.nodes[0].attributes.push_back(branch);
  graph.outputs.push_back({"y", TensorType::float32, {2}});
  CHECK(fault_of(graph).empty());
  graph.nodes[0].attributes[0].graphs[0].nodes[0].inputs[0] = "nowhere";
  CHECK(fault_of(graph).find("then_branch") != std::string::npos);
}
