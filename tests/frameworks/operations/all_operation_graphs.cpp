#include "assay/frameworks/operations/all_operation_graphs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>

#include "assay/frameworks/door/door_subject.hpp"
#include "assay/frameworks/door/lowered_precision.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"
#include "assay/frameworks/openvino/find_openvino.hpp"
#include "assay/frameworks/pjrt/find_pjrt.hpp"
#include "assay/frameworks/stablehlo/write_stablehlo.hpp"
#include "assay/frameworks/tensorflow/find_tensorflow.hpp"
#include "assay/frameworks/torch/find_torch.hpp"
#include "assay/kernels.hpp"
#include "assay/validators/operation_suite.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

const std::vector<ElementFormat> formats{element_format<float32>(), element_format<bfloat16>(),
                                         element_format<float16>()};

/// How many graphs have become modules of StableHLO.
std::size_t modules = 0;

/// What is wrong with a graph of a problem; empty where nothing is.
std::string fault_of(const OperationGraph& graph, const std::vector<OperandSpec>& specs) {
  if (const auto checked = check_graph(graph.model.graph); !checked) return checked.error().message;
  const std::string bytes = write_onnx_model(graph.model);
  const auto read = read_onnx_model(bytes);
  if (!read) return read.error().message;
  if (write_onnx_model(read.value()) != bytes) return "it is read as another than it was written";
  // What StableHLO has not is refused with a reason; what it has fits the shapes that the graph declares.
  const auto module = write_stablehlo(graph.model.graph);
  if (!module && (module.error().kind != ErrorKind::unsupported || module.error().message.empty()))
    return "its module: " + module.error().message;
  modules += module ? 1 : 0;
  std::set<int> bound;
  const auto check = [&](const std::vector<GraphOperand>& operands, bool output) -> std::string {
    for (const GraphOperand& operand : operands) {
      const OperandSpec& spec = specs.at(static_cast<std::size_t>(operand.position));
      bound.insert(operand.position);
      if (!spec.present) return spec.name + " is bound, and absent";
      if (spec.role == (output ? OperandRole::input : OperandRole::output))
        return spec.name + " is bound as what it is not";
      Index size = 1;
      for (const Index extent : spec.extents) size *= extent;
      if (GraphTensor{"", operand.type, operand.extents, {}, {}}.size() != size)
        return spec.name + " has " + std::to_string(size) + " elements, and the graph " +
               shape_text(operand.type, operand.extents);
      if (!(tensor_type_of(spec.format).value() == operand.type)) return spec.name + " has another type";
    }
    return {};
  };
  for (const std::string& fault : {check(graph.inputs, false), check(graph.outputs, true)})
    if (!fault.empty()) return fault;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].present && bound.count(static_cast<int>(i)) == 0) return specs[i].name + " is not bound";
  return {};
}

/// Checks the graph of every problem of the default suite; how many there are.
template <class Op>
std::size_t expressed() {
  std::size_t graphs = 0;
  for (const ElementFormat& format : formats)
    for (const auto& shape : Op::shapes(format)) {
      const auto graph = operation_graph(shape.problem);
      CAPTURE(Op::name(), Op::name_of(shape.problem), Op::formats_of(shape.problem));
      if (!graph) {
        CHECK(graph.error().kind == ErrorKind::unsupported);
        CHECK(!graph.error().message.empty());
        continue;
      }
      ++graphs;
      CHECK(fault_of(graph.value(), Op::operands(shape.problem).value()) == "");
    }
  return graphs;
}

/// What a real runtime makes of an operation's first cases of every problem.
template <class Op>
std::map<Verdict, int> verdicts_on(const Door& door, int most) {
  Suite suite;
  OperationSuiteOptions options;
  options.formats = {element_format<float32>()};
  options.unusual_storage = false;
  options.check.diagnosis = {};
  add_operation_cases<Op>(suite, Host(1), door_subject<Op>(door), options);
  std::map<Verdict, int> verdicts;
  std::string last;
  int done = 0;
  for (const Case& entry : suite) {
    const std::string shape = entry.labels.at("operation") + entry.labels.at("shape");
    if (!entry.tags.empty() || shape == last || done > most) continue;
    last = shape;
    const Outcome outcome = entry.run({1});
    ++verdicts[outcome.verdict];
    if (outcome.verdict != Verdict::unsupported) ++done;
  }
  return verdicts;
}

}  // namespace

TEST_CASE(
    "every problem of the default suites is a graph that binds all of its operands, or is refused with a reason") {
  CHECK(expressed<Attention>() > 20);
  CHECK(expressed<Convolution>() > 100);
  CHECK(expressed<CrossEntropy>() > 10);
  CHECK(expressed<Elementwise>() > 200);
  CHECK(expressed<Gather>() > 20);
  CHECK(expressed<L2Normalize>() > 20);
  CHECK(expressed<Linear>() > 30);
  CHECK(expressed<Normalization>() > 60);
  CHECK(expressed<Pooling>() > 40);
  CHECK(expressed<Rearrangement>() > 60);
  CHECK(expressed<Reduction>() > 100);
  CHECK(expressed<Resize>() > 40);
  CHECK(expressed<RotaryEmbedding>() > 30);
  CHECK(expressed<Softmax>() > 30);
  CHECK(expressed<Sort>() > 40);
  CHECK(modules > 700);
}

TEST_CASE("products are MatMul or Gemm, as they lie in memory, and what ONNX has not is refused") {
  const ElementFormat f32 = element_format<float32>(), f16 = element_format<float16>();
  GemmProblem problem;
  problem.m = 2;
  problem.n = 3;
  problem.k = 5;
  auto graph = gemm_graph(problem, f32, f32, f32, f32);
  REQUIRE(graph);
  CHECK(graph.value().model.graph.nodes.at(0).operation == "MatMul");
  problem.transpose_a = true;
  problem.alpha = 2;
  graph = gemm_graph(problem, f32, f32, f32, f32);
  REQUIRE(graph);
  CHECK(graph.value().model.graph.nodes.at(0).operation == "Gemm");
  CHECK(graph.value().inputs.at(0).extents == std::vector<std::int64_t>{5, 2});
  CHECK(graph.value().inputs.at(0).transposed);
  problem.order = StorageOrder::column_major;
  graph = gemm_graph(problem, f32, f32, f32, f32);
  REQUIRE(graph);
  CHECK(!graph.value().inputs.at(0).transposed);
  CHECK(graph.value().inputs.at(1).transposed);
  problem.beta = 1;
  graph = gemm_graph(problem, f16, f16, f32, f32);
  REQUIRE(graph);
  CHECK(graph.value().inputs.size() == 3);
  CHECK(graph.value().model.graph.nodes.at(0).operation == "Cast");
  problem.batch = 2;
  CHECK(gemm_graph(problem, f32, f32, f32, f32).error().kind == ErrorKind::unsupported);
  CHECK(gemm_graph(GemmProblem{1, 1, 1}, f16, f16, f16, f16).error().kind == ErrorKind::unsupported);
}

/// A real runtime computes what the graphs say: more passes than failures in every family.
void check_families(const Door& door, int most) {
  const auto described = door.worker->describe();
  REQUIRE(described);
  WARN(door.name + ": " + described.value().version);
  const auto passes = [&]<class Op>(std::type_identity<Op>) {
    auto verdicts = verdicts_on<Op>(door, most);
    CAPTURE(Op::name(), verdicts[Verdict::pass], verdicts[Verdict::fail], verdicts[Verdict::error]);
    CHECK(verdicts[Verdict::pass] > verdicts[Verdict::fail] + verdicts[Verdict::error]);
  };
  passes(std::type_identity<Convolution>());
  passes(std::type_identity<CrossEntropy>());
  passes(std::type_identity<Elementwise>());
  passes(std::type_identity<Gather>());
  passes(std::type_identity<L2Normalize>());
  passes(std::type_identity<Linear>());
  passes(std::type_identity<Normalization>());
  passes(std::type_identity<Pooling>());
  passes(std::type_identity<Rearrangement>());
  passes(std::type_identity<Reduction>());
  passes(std::type_identity<Resize>());
  passes(std::type_identity<RotaryEmbedding>());
  passes(std::type_identity<Softmax>());
  passes(std::type_identity<Sort>());
}

void skip(const std::string& reason) {
  std::printf("skipped: %s\n", reason.c_str());
  std::fflush(stdout);
  std::exit(77);
}

TEST_CASE("a real ONNX Runtime computes what the graphs say", "[.onnx_runtime]") {  // a ctest of its own
  const auto library = find_onnx_runtime();
  if (!library) skip(library.error().message);
  Door door;
  door.name = "ort.cpu.level99";
  door.worker = std::make_shared<DoorWorker>(std::vector<std::string>{ASSAY_DOOR_WORKER, library.value()});
  check_families(door, 40);
}

TEST_CASE("a real OpenVINO computes what the graphs say in its accurate mode, and tells its default's format",
          "[.openvino]") {
  const auto library = find_openvino();
  if (!library) skip(library.error().message);
  Door door;
  door.name = "openvino.accurate";
  door.mode = read_mode_name(door.name).value();
  door.worker = std::make_shared<DoorWorker>(std::vector<std::string>{ASSAY_DOOR_WORKER, library.value(), "openvino"});
  check_families(door, 9);  // each case compiles
  // Whatever the processor has, what is computed in less than float32 is told, and the accurate mode computes nothing
  // so.
  GemmProblem problem{32, 32, 256};
  const ElementFormat f32 = element_format<float32>();
  const OperationGraph product = gemm_graph(problem, f32, f32, f32, f32).value();
  std::vector<double> ones(32 * 256, 1 + 0x1p-12);
  const std::vector<GraphTensor> given{
      tensor_of_values(product.inputs.at(0).tensor, TensorType::float32, {32, 256}, ones),
      tensor_of_values(product.inputs.at(1).tensor, TensorType::float32, {256, 32}, ones)};
  for (const char* name : {"openvino", "openvino.accurate"}) {
    const auto run = door.worker->run({write_onnx_model(product.model), read_mode_name(name).value()}, given);
    REQUIRE(run);
    CHECK(!run.value().assignment.empty());
    const bool lowered = !lowered_nodes(product.model.graph, run.value().assignment).empty();
    const bool rounded = value_at(run.value().outputs.at(0), 0) == 256;  // the exact sum is 256.125…
    CAPTURE(name, lowered, rounded);
    CHECK(lowered == rounded);
    if (std::string(name) == "openvino.accurate") CHECK(!lowered);
  }
}

/// More passes than failures in every family of what a framework computes operator by operator.
void check_framework(const char* name, const Result<std::string>& library) {
  if (!library) skip(library.error().message);
  Door door;
  door.name = std::string(name) + ".cpu";
  door.mode = read_mode_name(door.name).value();
  door.worker = std::make_shared<DoorWorker>(std::vector<std::string>{ASSAY_DOOR_WORKER, library.value(), name});
  check_families(door, 40);
  // A product is one operator of the framework's own, on the device that was asked for.
  const ElementFormat f32 = element_format<float32>();
  const OperationGraph product = gemm_graph(GemmProblem{2, 2, 1}, f32, f32, f32, f32).value();
  const auto run =
      door.worker->run({write_onnx_model(product.model), door.mode},
                       {tensor_of_values(product.inputs.at(0).tensor, TensorType::float32, {2, 1}, {1, 2}),
                        tensor_of_values(product.inputs.at(1).tensor, TensorType::float32, {1, 2}, {3, 4})});
  REQUIRE(run);
  REQUIRE(run.value().assignment.size() == 1);
  CHECK(run.value().assignment[0].operation == "MatMul");
  CHECK(value_at(run.value().outputs.at(0), 3) == 8);
}

TEST_CASE("a real PyTorch computes what the graphs say", "[.torch]") {
  check_framework("torch", find_torch());
}

TEST_CASE("a real TensorFlow computes what the graphs say", "[.tensorflow]") {
  check_framework("tensorflow", find_tensorflow());
}

TEST_CASE("a real XLA computes what the graphs say, and rounds where it is told to", "[.pjrt]") {
  const auto library = find_pjrt();
  if (!library) skip(library.error().message);
  Door door;
  door.name = "xla";
  door.mode = read_mode_name(door.name).value();
  door.worker = std::make_shared<DoorWorker>(std::vector<std::string>{ASSAY_DOOR_WORKER, library.value(), "pjrt"});
  check_families(door, 9);  // each case compiles
  // float32 → bfloat16 → float32: with excess precision XLA leaves the rounding out, which it may; without it may not.
  OperatorGraph graph;
  GraphNode down{"Cast", {"x"}, {"narrow"}}, up{"Cast", {"narrow"}, {"y"}};
  down.attributes.emplace_back("to", static_cast<std::int64_t>(TensorType::bfloat16));
  up.attributes.emplace_back("to", static_cast<std::int64_t>(TensorType::float32));
  graph.nodes = {down, up};
  graph.inputs.push_back({"x", TensorType::float32, {1}});
  graph.outputs.push_back({"y", TensorType::float32, {1}});
  const auto value_in = [&](const char* name) {
    const auto run = door.worker->run({write_stablehlo(graph).value(), read_mode_name(name).value()},
                                      {tensor_of_values("x", TensorType::float32, {1}, {1 + 0x1p-20})});
    REQUIRE(run);
    return value_at(run.value().outputs.at(0), 0);
  };
  CHECK(value_in("xla.no-excess") == 1);
  const double excess = value_in("xla");
  CAPTURE(excess);
  CHECK((excess == 1 || excess == 1 + 0x1p-20));
}
