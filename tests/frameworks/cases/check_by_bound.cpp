#include "assay/frameworks/cases/check_by_bound.hpp"

#include <cmath>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

namespace {

OnnxCase case_of(const char* operation, std::vector<GraphTensor> inputs, GraphTensor output) {
  OnnxCase own;
  own.name = "test";
  own.read.graph.nodes.push_back({operation, {"x"}, {"y"}});
  own.data.push_back({std::move(inputs), {std::move(output)}});
  return own;
}
GraphTensor tensor(const char* name, std::vector<std::int64_t> extents, const std::vector<double>& values) {
  return tensor_of_values(name, TensorType::float32, std::move(extents), values);
}
RunProgram giving(GraphTensor output) {
  return [output](const GraphProgram&, const std::vector<GraphTensor>&) -> Result<GraphRun> {
    return GraphRun{{output}, {}};
  };
}

}  // namespace

TEST_CASE("the bound sees what ONNX's tolerance lets pass") {
  const OnnxCase own = case_of("Exp", {tensor("x", {3}, {-1, 0, 1})}, tensor("y", {3}, {std::exp(-1), 1, std::exp(1)}));
  const Outcome right = judge_onnx_case(own, "ort", {}, giving(tensor("y", {3}, {std::exp(-1), 1, std::exp(1)})));
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.label("judged_by") == "bound");
  CHECK(right.label("expected_data") == "pass");
  const Outcome loose = judge_onnx_case(own, "ort", {}, giving(tensor("y", {3}, {std::exp(-1), 1, 2.7184})));
  CHECK(loose.verdict == Verdict::fail);
  CHECK(loose.label("by_onnx") == "pass");
  CHECK(loose.reason.find("too loose") != std::string::npos);
}

TEST_CASE("a right result that ONNX's data refuse passes, and the data are told of") {
  const OnnxCase own = case_of("Exp", {tensor("x", {2}, {0, 1})}, tensor("y", {2}, {1, 2.8}));
  const Outcome outcome = judge_onnx_case(own, "ort", {}, giving(tensor("y", {2}, {1, std::exp(1)})));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("by_onnx") == "fail");
  CHECK(outcome.label("expected_data") == "fail");
  CHECK(outcome.diagnosis.size() == 2);
}

TEST_CASE("broadcasting, softmax and reductions are judged as they are") {
  OnnxCase own = case_of("Add", {tensor("a", {2, 2}, {1, 2, 3, 4}), tensor("b", {2}, {10, 20})},
                         tensor("y", {2, 2}, {11, 22, 13, 24}));
  CHECK(judge_onnx_case(own, "ort", {}, giving(own.data[0].outputs[0])).label("expected_data") == "pass");
  CHECK(judge_onnx_case(own, "ort", {}, giving(tensor("y", {2, 2}, {11, 22, 13, 24.01}))).verdict == Verdict::fail);
  own = case_of("Softmax", {tensor("x", {2, 2}, {0, 0, 1, 1})}, tensor("y", {2, 2}, {0.5, 0.5, 0.5, 0.5}));
  CHECK(judge_onnx_case(own, "ort", {}, giving(own.data[0].outputs[0])).label("judged_by") == "bound");
  own.read.graph.nodes[0].attributes = {GraphAttribute("axis", std::int64_t{0})};
  CHECK(judge_onnx_case(own, "ort", {}, giving(own.data[0].outputs[0])).label("expected_data") == "fail");
  const GraphTensor axis = tensor_of_values("axes", TensorType::int64, {1}, {-1});
  own = case_of("ReduceSum", {tensor("x", {2, 2}, {1, 2, 3, 4}), axis}, tensor("y", {2, 1}, {3, 7}));
  CHECK(judge_onnx_case(own, "ort", {}, giving(own.data[0].outputs[0])).label("expected_data") == "pass");
}

TEST_CASE("what is none of ours is judged by ONNX's tolerance, named so") {
  const OnnxCase own = case_of("Neg", {tensor("x", {1}, {1})}, tensor("y", {1}, {-1}));
  const Outcome outcome = judge_onnx_case(own, "ort", {}, giving(tensor("y", {1}, {-1})));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("judged_by") == "onnx");
  CHECK(!check_by_bound(own, {}, giving(tensor("y", {1}, {-1}))));
}
