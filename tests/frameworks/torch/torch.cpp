#include "assay/frameworks/torch/torch.hpp"

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
using assay::testing::scripted_torch_door;
using assay::testing::scripted_torch_worker;

TEST_CASE("PyTorch describes itself and runs, again and again, and tells what became of each node") {
  DoorWorker worker = scripted_torch_worker("right");
  const auto described = worker.describe();
  REQUIRE(described);
  CHECK(described.value().version == "2.15.1");
  CHECK(described.value().providers == std::vector<std::string>{"cpu"});
  for (const char* mode : {"torch.cpu", "torch.cpu", "torch.cpu.threads4"}) {
    const auto run = worker.run(relu_program(mode), eight_numbers());
    REQUIRE(run);
    REQUIRE(run.value().outputs.size() == 1);
    CHECK(run.value().outputs[0].name == "y");
    CHECK(value_at(run.value().outputs[0], 0) == 0);
    CHECK(value_at(run.value().outputs[0], 7) == 8);
    REQUIRE(run.value().assignment.size() == 1);
    CHECK(run.value().assignment[0].operation == "Relu");
    CHECK(run.value().assignment[0].execution == "aten::relu");
    CHECK(run.value().assignment[0].provider == "cpu");
  }
}

TEST_CASE("what PyTorch does is told, and the next run has another process") {
  check_faults_are_told(
      scripted_torch_worker, relu_program("torch.cpu"),
      {{"aborts while running", "kernel assertion failed", ErrorKind::device},
       {"crashes while running", "signal 11", ErrorKind::device},
       {"leaves by exit", "exit code 0", ErrorKind::device},
       {"fails while running", "could not compute aten::relu: kernel launch failed", ErrorKind::device},
       {"fails without a message", "no message", ErrorKind::device},
       {"not implemented", "not implemented for 'Float'", ErrorKind::unsupported},
       {"takes no tensors", "out of memory", ErrorKind::device},
       {"no tensor", "gave no tensor", ErrorKind::device},
       {"null data", "has no data", ErrorKind::device},
       {"unknown type", "type 77", ErrorKind::unsupported},
       {"another device", "device type 1", ErrorKind::unsupported},
       {"negative extents", "float32[-4]", ErrorKind::device},
       {"older version", "came with 2.10", ErrorKind::unsupported},
       {"ignores threads", "computes with 2 threads", ErrorKind::unsupported}});
}

TEST_CASE("a PyTorch that does not answer is killed in time") {
  check_hang_is_ended(scripted_torch_worker, relu_program("torch.cpu"));
}

TEST_CASE("operators, attributes, versions and inputs that have no mapping to PyTorch are named") {
  check_what_is_not_mapped(scripted_torch_worker("right"), "torch.cpu",
                           {"PyTorch has no mapping of ONNX's Hardmax", "Could not find schema for aten::tanh",
                            "no elements of type float8e8m0"});
}

TEST_CASE("a PyTorch that lacks a function, or is none, is not asked further") {
  CHECK(Torch::open("/nowhere/libtorch_cpu.so").error().kind == ErrorKind::not_found);
  DoorWorker lacking({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_TORCH_LACKING, "torch"});
  const auto run = lacking.run(relu_program("torch.cpu"), eight_numbers());
  REQUIRE(!run);
  CHECK(run.error().kind == ErrorKind::unsupported);
  CHECK(run.error().message.find("torch_call_dispatcher") != std::string::npos);
  DoorWorker another({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO, "torch"});
  CHECK(another.describe().error().message.find("no C interface of PyTorch") != std::string::npos);
}

TEST_CASE("PyTorch's results are judged like everybody's: wrong numbers fail, right ones pass") {
  check_results_are_judged(scripted_torch_door, {"another shape", "another type", "aborts while running", "no tensor"});
  CHECK(relu_on(scripted_torch_door("another device")).verdict == Verdict::unsupported);
}
