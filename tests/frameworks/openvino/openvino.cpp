#include "assay/frameworks/openvino/openvino.hpp"

#include <string>
#include <vector>

#include "assay/frameworks/detail/openvino_interface.hpp"
#include "assay/frameworks/door/lowered_precision.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"
#include "testing/scripted_door.hpp"

using namespace assay;
using assay::testing::check_faults_are_told;
using assay::testing::check_hang_is_ended;
using assay::testing::check_results_are_judged;
using assay::testing::eight_numbers;
using assay::testing::relu_of_eight;
using assay::testing::relu_on;
using assay::testing::relu_program;
using assay::testing::scripted_openvino_door;
using assay::testing::scripted_openvino_worker;

TEST_CASE("OpenVINO describes itself and runs, again and again, and tells what computed each node") {
  DoorWorker worker = scripted_openvino_worker("right");
  const auto described = worker.describe();
  REQUIRE(described);
  CHECK(described.value().version == "0.0-scripted");
  CHECK(described.value().providers == std::vector<std::string>{"CPU", "NPU"});
  for (const char* mode : {"openvino", "openvino", "openvino.accurate", "openvino.NPU"}) {
    const auto run = worker.run(relu_program(mode), eight_numbers());
    REQUIRE(run);
    REQUIRE(run.value().outputs.size() == 1);
    CHECK(run.value().outputs[0].name == "y");
    CHECK(value_at(run.value().outputs[0], 0) == 0);
    CHECK(value_at(run.value().outputs[0], 7) == 8);
    REQUIRE(run.value().assignment.size() == 1);  // parameters are not executed
    CHECK(run.value().assignment[0].operation == "Relu");
    CHECK(run.value().assignment[0].execution == "jit_avx512_f32");
    CHECK(run.value().assignment[0].provider == read_mode_name(mode).value().provider.name);
  }
}

TEST_CASE("what OpenVINO does is told, and the next run has another process") {
  check_faults_are_told(scripted_openvino_worker, relu_program("openvino"),
                        {{"aborts while reading", "frontend assertion failed", ErrorKind::device},
                         {"aborts while running", "signal 6", ErrorKind::device},
                         {"crashes while running", "signal 11", ErrorKind::device},
                         {"leaves by exit", "exit code 0", ErrorKind::device},
                         {"fails while running", "kernel launch failed", ErrorKind::device},
                         {"fails without a message", "general error", ErrorKind::device},
                         {"no core", "made no core", ErrorKind::device},
                         {"no plugins", "plugins.xml is missing", ErrorKind::device},
                         {"not implemented", "not implemented", ErrorKind::unsupported},
                         {"no compiled model", "compiled nothing", ErrorKind::device},
                         {"another device", "was compiled for 'GPU', not for CPU", ErrorKind::unsupported},
                         {"no output", "gave no output 'y'", ErrorKind::device},
                         {"null data", "has no data", ErrorKind::device},
                         {"unknown type", "element type 77", ErrorKind::unsupported},
                         {"many dimensions", "1000 dimensions", ErrorKind::device},
                         {"negative extents", "float32[-4]", ErrorKind::unsupported},
                         {"longer data", "of 40 bytes", ErrorKind::device},
                         {"older numbers of types", "numbers element types otherwise", ErrorKind::unsupported}});
}

TEST_CASE("an OpenVINO that does not answer is killed in time") {
  check_hang_is_ended(scripted_openvino_worker, relu_program("openvino"));
}

TEST_CASE("devices, properties, operators and inputs that OpenVINO has not are told of") {
  DoorWorker worker = scripted_openvino_worker("right");
  const auto told = [&](const GraphProgram& program, const std::vector<GraphTensor>& given) {
    const auto run = worker.run(program, given);
    return run ? std::string() : run.error().message;
  };
  CHECK(told(relu_program("openvino.GPU"), eight_numbers()).find("\"GPU\" name is not registered") !=
        std::string::npos);
  CHECK(told(relu_program("openvino.NO_SUCH=1"), eight_numbers()).find("unsupported property NO_SUCH") !=
        std::string::npos);
  CHECK(told(relu_program("openvino.A=1.B=1.C=1.D=1.E=1"), eight_numbers()).find("properties") != std::string::npos);
  OperatorGraph other = relu_of_eight();
  other.nodes[0].operation = "Neg";
  CHECK(told({write_onnx_model({other}), read_mode_name("openvino").value()}, eight_numbers())
            .find("no translator for Neg") != std::string::npos);
  auto others = eight_numbers();
  others[0].name = "w";
  CHECK(told(relu_program("openvino"), others).find("no input 'w'") != std::string::npos);
  others = eight_numbers();
  others[0].type = TensorType::float8e4m3fnuz;
  CHECK(told(relu_program("openvino"), others).find("no elements of type float8e4m3fnuz") != std::string::npos);
  CHECK(told(relu_program("openvino"), {}).find("an input is not set") != std::string::npos);
  CHECK(told(relu_program("openvino"), eight_numbers()).empty());
}

TEST_CASE("scalars go and come back, though OpenVINO does not tell their shape") {
  DoorWorker worker = scripted_openvino_worker("right");
  OperatorGraph graph = relu_of_eight();
  graph.inputs[0].extents.clear();
  graph.outputs[0].extents.clear();
  const auto run = worker.run({write_onnx_model({graph}), read_mode_name("openvino").value()},
                              {tensor_of_values("x", TensorType::float32, {}, {7})});
  REQUIRE(run);
  CHECK(run.value().outputs.at(0).extents.empty());
  CHECK(value_at(run.value().outputs.at(0), 0) == 7);
}

TEST_CASE("a library that lacks a function, or is another, is not asked further") {
  CHECK(OpenVino::open("/nowhere/libopenvino_c.so").error().kind == ErrorKind::not_found);
  DoorWorker lacking({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO_LACKING, "openvino"});
  const auto run = lacking.run(relu_program("openvino"), eight_numbers());
  REQUIRE(!run);
  CHECK(run.error().kind == ErrorKind::unsupported);
  CHECK(run.error().message.find("ov_core_compile_model") != std::string::npos);
  DoorWorker another({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_ONNX_RUNTIME, "openvino"});
  CHECK(another.describe().error().message.find("no C interface of OpenVINO") != std::string::npos);
}

TEST_CASE("operations are judged on OpenVINO as on any backend") {
  check_results_are_judged(scripted_openvino_door,
                           {"another shape", "another type", "no output", "aborts while running"});
  CHECK(relu_on(scripted_openvino_door("older numbers of types")).verdict == Verdict::unsupported);
}

TEST_CASE("a default that computes float32 in bfloat16 fails and is named, its accurate mode is not accused") {
  Door door = scripted_openvino_door("lowers");
  DoorRecord record;
  door.launched = [&](const OperatorGraph& graph, const GraphRun& run) { record.note(graph, run); };
  CHECK(relu_on(door).verdict == Verdict::fail);
  CHECK(record.lowered == "Relu in bf16 (jit_avx512_bf16), declared float32");
  const std::string lowered_digest = record.digest;
  record.clear();
  door.mode = read_mode_name("openvino.accurate").value();
  CHECK(relu_on(door).verdict == Verdict::pass);
  CHECK(record.lowered.empty());
  CHECK(record.digest != lowered_digest);
}

TEST_CASE("element types go and come back") {
  for (int type = 1; type < 27; ++type) {
    const int own = detail::ov::to_openvino(type);
    if (own >= 0) CHECK(detail::ov::from_openvino(own) == type);
  }
  CHECK(detail::ov::to_openvino(1) == 4);
  CHECK(detail::ov::to_openvino(8) == -1);
  CHECK(detail::ov::to_openvino(99) == -1);
  CHECK(detail::ov::from_openvino(0) == -1);
}
