#include "assay/frameworks/door/door_worker.hpp"

#include <string>
#include <vector>

#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"
#include "testing/scripted_door.hpp"

using namespace assay;
using assay::testing::check_faults_are_told;
using assay::testing::check_hang_is_ended;
using assay::testing::eight_numbers;
using assay::testing::relu_of_eight;
using assay::testing::scripted_worker;

namespace {

GraphProgram relu_program(const std::string& provider = "cpu") {
  GraphProgram program{write_onnx_model({relu_of_eight()}), {}};
  program.mode.provider.name = provider;
  return program;
}

}  // namespace

TEST_CASE("a worker describes and runs, again and again") {
  DoorWorker worker = scripted_worker("right");
  const auto described = worker.describe();
  REQUIRE(described);
  CHECK(described.value().version == "0.0-scripted");
  CHECK(described.value().providers.size() == 2);
  for (int round = 0; round < 3; ++round) {
    const auto run = worker.run(relu_program(), eight_numbers());
    REQUIRE(run);
    REQUIRE(run.value().outputs.size() == 1);
    CHECK(run.value().outputs[0].extents == std::vector<std::int64_t>{8});
    CHECK(value_at(run.value().outputs[0], 0) == 0);
    CHECK(value_at(run.value().outputs[0], 7) == 8);
  }
}

TEST_CASE("what a runtime does to its process is told, and the next run has another") {
  check_faults_are_told(scripted_worker, relu_program(),
                        {{"aborts while compiling", "compiler assertion 1 < 0 failed", ErrorKind::device},
                         {"aborts while running", "signal 6", ErrorKind::device},
                         {"crashes while running", "signal 11", ErrorKind::device},
                         {"leaves by exit", "exit code 0", ErrorKind::device},
                         {"fails while running", "kernel launch failed", ErrorKind::device},
                         {"fails without a message", "could not run the model", ErrorKind::device},
                         {"no session", "made no session", ErrorKind::device},
                         {"no output", "gave no output 'y'", ErrorKind::device},
                         {"null data", "has no data", ErrorKind::device},
                         {"negative extents", "of which no numbers are taken", ErrorKind::unsupported},
                         {"many dimensions", "1000 dimensions", ErrorKind::device},
                         {"missing functions", "no function number 8", ErrorKind::unsupported},
                         {"wrong version", "none of the versions 11 to 23", ErrorKind::unsupported},
                         {"no table", "no OrtGetApiBase", ErrorKind::unsupported}});
}

TEST_CASE("what does not answer is killed in time") {
  check_hang_is_ended(scripted_worker, relu_program());
}

TEST_CASE("a pass that another provider computed is none") {
  DoorWorker right = scripted_worker("right");
  const auto run = right.run(relu_program("Scripted"), eight_numbers());
  REQUIRE(run);
  REQUIRE(run.value().assignment.size() == 1);
  CHECK(run.value().assignment[0].provider == "ScriptedExecutionProvider");
  CHECK(run.value().assignment[0].operation == "Relu");
  DoorWorker falls_back = scripted_worker("falls back");
  const auto other = falls_back.run(relu_program("Scripted"), eight_numbers());
  REQUIRE(!other);
  CHECK(other.error().kind == ErrorKind::unsupported);
  CHECK(other.error().message.find("computed by CPUExecutionProvider, not by Scripted") != std::string::npos);
  DoorWorker silent = scripted_worker("no profile");
  const auto none = silent.run(relu_program("Scripted"), eight_numbers());
  REQUIRE(!none);
  CHECK(none.error().message.find("does not tell who computed") != std::string::npos);
  DoorWorker worker = scripted_worker("right");
  const auto unknown = worker.run(relu_program("Unheard"), eight_numbers());
  REQUIRE(!unknown);
  CHECK(unknown.error().kind == ErrorKind::unsupported);
  CHECK(unknown.error().message.find("ScriptedExecutionProvider, CPUExecutionProvider") != std::string::npos);
}

TEST_CASE("models that cannot be are refused with what is wrong, and so are inputs that no model has") {
  DoorWorker worker = scripted_worker("right");
  GraphProgram program = relu_program();
  program.model = "no model";
  CHECK(worker.run(program, eight_numbers()).error().kind == ErrorKind::unsupported);
  auto others = eight_numbers();
  others[0].name = "w";
  CHECK(worker.run(relu_program(), others).error().message.find("no input 'w'") != std::string::npos);
}

TEST_CASE("a program that cannot be executed is told of") {
  DoorWorker worker({"/nowhere/door", "x"});
  const auto described = worker.describe();
  REQUIRE(!described);
  CHECK(described.error().message.find("/nowhere/door") != std::string::npos);
  DoorWorker wrong({ASSAY_DOOR_WORKER, "/nowhere/libonnxruntime.so"});
  CHECK(wrong.describe().error().kind == ErrorKind::not_found);
}
