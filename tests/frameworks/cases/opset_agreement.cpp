#include "assay/frameworks/cases/opset_agreement.hpp"

#include <functional>
#include <string>

#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

OnnxCase case_of(const std::string& operation, std::int64_t version) {
  OnnxCase own;
  own.name = "test_it";
  own.read.graph.nodes.push_back({operation, {"x"}, {"y"}});
  own.read.graph.inputs.push_back({"x", TensorType::float32, {2}});
  own.read.graph.outputs.push_back({"y", TensorType::float32, {2}});
  own.read.opsets[""] = version;
  own.model = write_onnx_model(own.read);
  own.data.push_back({{tensor_of_values("x", TensorType::float32, {2}, {1, 2})}, {}});
  return own;
}

/// A runtime whose results are a function of the operators' version; negative: refused.
RunProgram by_version(std::function<double(std::int64_t)> value) {
  return [value](const GraphProgram& program, const std::vector<GraphTensor>&) -> Result<GraphRun> {
    const double own = value(read_onnx_model(program.model).value().opsets.at(""));
    if (own < 0) return failure(ErrorKind::unsupported, "no such version");
    GraphRun run;
    run.outputs.push_back(tensor_of_values("y", TensorType::float32, {2}, {own, own}));
    return run;
  };
}

Outcome compared(const OnnxCase& own, std::function<double(std::int64_t)> value) {
  return compare_opsets(own, "fake", {}, by_version(std::move(value)));
}

}  // namespace

TEST_CASE("versions that give the same bits pass, and those that refuse the node are told") {
  const Outcome outcome = compared(case_of("Relu", 14), [](std::int64_t version) { return version < 10 ? -1.0 : 1.0; });
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.id == "opset/fake/Relu/test_it");
  REQUIRE(outcome.derivation.size() == 2);
  CHECK(outcome.derivation[0] == "the same bits: 10–13");
  CHECK(outcome.derivation[1] == "refused: 7–9");
}

TEST_CASE("other numbers fail, unless ONNX documents that the node means something else") {
  const auto changed = [](std::int64_t version) { return version < 13 ? 1.0 : 2.0; };
  const Outcome relu = compared(case_of("Relu", 14), changed);
  CHECK(relu.verdict == Verdict::fail);
  CHECK(relu.reason.find("version 7–12 gives other numbers than version 14") != std::string::npos);
  const Outcome softmax = compared(case_of("Softmax", 14), changed);
  CHECK(softmax.verdict == Verdict::pass);
  CHECK(softmax.diagnosis.at(0).find("as a matrix (since 13)") != std::string::npos);
  // A documented change of nodes that have an attribute is none of others.
  OnnxCase pool = case_of("AveragePool", 19);
  CHECK(compared(pool, [](std::int64_t version) { return version < 19 ? 1.0 : 2.0; }).verdict == Verdict::fail);
  pool.read.graph.nodes[0].attributes.emplace_back("ceil_mode", std::int64_t{1});
  CHECK(compared(pool, [](std::int64_t version) { return version < 19 ? 1.0 : 2.0; }).verdict == Verdict::pass);
  // Another kernel that rounds otherwise is told, and no fault.
  const Outcome rounds =
      compared(case_of("Relu", 14), [](std::int64_t version) { return version < 9 ? 1.0 : 1 + 0x1p-20; });
  CHECK(rounds.verdict == Verdict::pass);
  CHECK(rounds.diagnosis.at(0).find("version 7–8 rounds otherwise") != std::string::npos);
  // A change at another version than the documented one is none of it.
  CHECK(compared(case_of("Softmax", 16), [](std::int64_t version) { return version == 14 ? 1.0 : 2.0; }).verdict ==
        Verdict::fail);
}

TEST_CASE("what cannot be compared is no pass") {
  const auto always = [](std::int64_t) { return 1.0; };
  CHECK(compared(case_of("Relu", 14), [](std::int64_t) { return -1.0; }).verdict == Verdict::unsupported);
  CHECK(compared(case_of("Relu", 14), [](std::int64_t version) { return version < 14 ? -1.0 : 1.0; }).verdict ==
        Verdict::inconclusive);
  CHECK(compared(case_of("RandomNormal", 14), always).verdict == Verdict::inconclusive);
  OnnxCase two = case_of("Relu", 14);
  two.read.graph.nodes.push_back({"Relu", {"y"}, {"z"}});
  CHECK(compared(two, always).verdict == Verdict::inconclusive);
  OnnxCase none = case_of("Relu", 14);
  none.data.clear();
  CHECK(compared(none, always).verdict == Verdict::inconclusive);
}
