#include "assay/frameworks/cases/check_onnx_case.hpp"

#include <cmath>
#include <string>

#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

OnnxCase relu_case() {
  OnnxCase own;
  own.name = "test_relu";
  own.read.graph.nodes.push_back({"Relu", {"x"}, {"y"}});
  own.data.push_back({{tensor_of_values("x", TensorType::float32, {3}, {-1, 2, 3})},
                      {tensor_of_values("y", TensorType::float32, {3}, {0, 2, 3})}});
  return own;
}

RunProgram giving(GraphTensor output) {
  return [output](const GraphProgram&, const std::vector<GraphTensor>&) -> Result<GraphRun> {
    return GraphRun{{output}, {}};
  };
}
RunProgram failing(ErrorKind kind) {
  return [kind](const GraphProgram&, const std::vector<GraphTensor>&) -> Result<GraphRun> {
    return failure(kind, "it says why");
  };
}
Outcome judged(const OnnxCase& own, const RunProgram& run) {
  return check_onnx_case(own, "ort.cpu.level99", {}, run);
}
GraphTensor values(const std::vector<double>& numbers) {
  return tensor_of_values("y", TensorType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

}  // namespace

TEST_CASE("cases pass, fail and are refused by ONNX's own tolerance, named so") {
  const OnnxCase own = relu_case();
  const Outcome right = judged(own, giving(values({0, 2.001, 3})));
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.id == "onnx/ort.cpu.level99/Relu/test_relu");
  CHECK(right.derivation.at(0).find("ONNX's own tolerance") != std::string::npos);
  const Outcome wrong = judged(own, giving(values({0, 2.01, 3})));
  CHECK(wrong.verdict == Verdict::fail);
  CHECK(wrong.reason.find("1 of 3 elements are off, worst at 1") != std::string::npos);
  CHECK(judged(own, giving(values({1e-6, 2, 3}))).verdict == Verdict::fail);
  CHECK(judged(own, giving(values({0, 2, std::nan("")}))).verdict == Verdict::fail);
  CHECK(judged(own, giving(values({0, 2}))).verdict == Verdict::fail);
  CHECK(judged(own, giving(tensor_of_values("y", TensorType::float64, {3}, {0, 2, 3}))).verdict == Verdict::fail);
  CHECK(judged(own, giving(tensor_of_values("z", TensorType::float32, {3}, {0, 2, 3}))).verdict == Verdict::fail);
  GraphTensor cut = values({0, 2, 3});
  cut.bytes.resize(8);
  CHECK(judged(own, giving(cut)).verdict == Verdict::fail);
  CHECK(judged(own, failing(ErrorKind::unsupported)).verdict == Verdict::unsupported);
  CHECK(judged(own, failing(ErrorKind::device)).verdict == Verdict::error);
  CHECK(judged(own, failing(ErrorKind::timed_out)).verdict == Verdict::error);
}

TEST_CASE("what is not compared, and what is drawn at random, is inconclusive, never a pass") {
  OnnxCase own = relu_case();
  own.not_compared = "output y is of type string";
  CHECK(judged(own, giving(values({0, 2, 3}))).verdict == Verdict::inconclusive);
  own = relu_case();
  own.data[0].outputs.clear();
  CHECK(judged(own, giving(values({0, 2, 3}))).verdict == Verdict::inconclusive);
  own = relu_case();
  own.read.graph.nodes[0].operation = "Bernoulli";
  CHECK(judged(own, giving(values({1, 2, 3}))).verdict == Verdict::inconclusive);
}

TEST_CASE("infinities and NaN are compared as they are") {
  const double infinity = HUGE_VAL;
  const GraphTensor expected = values({infinity, -infinity, std::nan("")});
  CHECK(onnx_mismatch(values({infinity, -infinity, std::nan("")}), expected, 1e-3, 1e-7).empty());
  CHECK(!onnx_mismatch(values({-infinity, -infinity, std::nan("")}), expected, 1e-3, 1e-7).empty());
  CHECK(!onnx_mismatch(values({1e30, -infinity, std::nan("")}), expected, 1e-3, 1e-7).empty());
  CHECK(!onnx_mismatch(values({infinity, -infinity, 0}), expected, 1e-3, 1e-7).empty());
}
