#include "assay/frameworks/tensorflow/tensorflow.hpp"

#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/eager_door.hpp"

using namespace assay;
using assay::testing::check_faults_are_told;
using assay::testing::check_hang_is_ended;
using assay::testing::check_results_are_judged;
using assay::testing::check_what_is_not_mapped;
using assay::testing::eight_numbers;
using assay::testing::relu_on;
using assay::testing::relu_program;
using assay::testing::scripted_tensorflow_door;
using assay::testing::scripted_tensorflow_worker;

namespace {

const std::string cpu = "/job:localhost/replica:0/task:0/device:CPU:0",
                  gpu = "/job:localhost/replica:0/task:0/device:GPU:0";

}  // namespace

TEST_CASE("TensorFlow describes itself and runs, again and again, and tells what became of each node") {
  DoorWorker worker = scripted_tensorflow_worker("right");
  const auto described = worker.describe();
  REQUIRE(described);
  CHECK(described.value().version == "0.0-scripted");
  CHECK(described.value().providers == std::vector<std::string>{cpu, gpu});
  for (const char* mode : {"tensorflow.cpu", "tensorflow.cpu", "tensorflow.cpu.threads4", "tensorflow.gpu"}) {
    const auto run = worker.run(relu_program(mode), eight_numbers());
    REQUIRE(run);
    REQUIRE(run.value().outputs.size() == 1);
    CHECK(run.value().outputs[0].name == "y");
    CHECK(value_at(run.value().outputs[0], 0) == 0);
    CHECK(value_at(run.value().outputs[0], 7) == 8);
    REQUIRE(run.value().assignment.size() == 1);
    CHECK(run.value().assignment[0].operation == "Relu");
    CHECK(run.value().assignment[0].execution == "Relu");
    CHECK(run.value().assignment[0].provider == (std::string(mode) == "tensorflow.gpu" ? gpu : cpu));
  }
}

TEST_CASE("what TensorFlow does is told, and the next run has another process") {
  check_faults_are_told(scripted_tensorflow_worker, relu_program("tensorflow.cpu"),
                        {{"aborts while running", "kernel assertion failed", ErrorKind::device},
                         {"crashes while running", "signal 11", ErrorKind::device},
                         {"leaves by exit", "exit code 0", ErrorKind::device},
                         {"fails while running", "could not compute Relu (code 13): kernel", ErrorKind::device},
                         {"fails without a message", "no message", ErrorKind::device},
                         {"not implemented", "no kernel for that layout", ErrorKind::unsupported},
                         {"takes no tensors", "took no tensor", ErrorKind::device},
                         {"no status", "made no status", ErrorKind::device},
                         {"no context", "made no context", ErrorKind::device},
                         {"fails to start", "there is no runtime", ErrorKind::device},
                         {"no devices", "no device of type CPU", ErrorKind::not_found},
                         {"no tensor", "gave no tensor", ErrorKind::device},
                         {"more outputs", "gave 2 outputs", ErrorKind::device},
                         {"no output", "gave no tensor for an output", ErrorKind::device},
                         {"null data", "of 32 bytes", ErrorKind::device},
                         {"longer data", "of 40 bytes", ErrorKind::device},
                         {"unknown type", "type 77", ErrorKind::unsupported},
                         {"negative extents", "float32[-4]", ErrorKind::device},
                         {"older numbers of types", "numbers element types otherwise", ErrorKind::unsupported}});
}

TEST_CASE("a TensorFlow that does not answer is killed in time") {
  check_hang_is_ended(scripted_tensorflow_worker, relu_program("tensorflow.cpu"));
}

TEST_CASE("operators, attributes, versions and inputs that have no mapping to TensorFlow are named") {
  check_what_is_not_mapped(scripted_tensorflow_worker("right"), "tensorflow.cpu",
                           {"TensorFlow has no mapping of ONNX's Hardmax", "there is no operator Tanh",
                            "elements of type float8e8m0 are not handed"});
}

TEST_CASE("a TensorFlow that lacks a function, or is none, is not asked further") {
  CHECK(TensorFlow::open("/nowhere/libtensorflow_cc.so.2").error().kind == ErrorKind::not_found);
  DoorWorker lacking({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_TENSORFLOW_LACKING, "tensorflow"});
  const auto run = lacking.run(relu_program("tensorflow.cpu"), eight_numbers());
  REQUIRE(!run);
  CHECK(run.error().kind == ErrorKind::unsupported);
  CHECK(run.error().message.find("TFE_Execute") != std::string::npos);
  DoorWorker another({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO, "tensorflow"});
  CHECK(another.describe().error().message.find("no C interface of TensorFlow") != std::string::npos);
}

TEST_CASE("TensorFlow's results are judged like everybody's: wrong numbers fail, right ones pass") {
  check_results_are_judged(scripted_tensorflow_door,
                           {"another shape", "another type", "aborts while running", "no tensor"});
  // What the CPU computed is no result of a GPU.
  Door door = scripted_tensorflow_door("falls back to the CPU");
  door.name = "tensorflow.gpu";
  door.mode = read_mode_name(door.name).value();
  const Outcome outcome = relu_on(door);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK(outcome.reason.find("was computed by " + cpu + ", and not by " + gpu) != std::string::npos);
}
