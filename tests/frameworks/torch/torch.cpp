#include "assay/frameworks/torch/torch.hpp"

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
using assay::testing::relu_on;
using assay::testing::scripted_torch_door;
using assay::testing::scripted_torch_worker;

namespace {

GraphProgram relu_program(const char* mode = "torch.cpu") {
  return {write_onnx_model({relu_of_eight()}), read_mode_name(mode).value()};
}

}  // namespace

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
      scripted_torch_worker, relu_program(),
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
  check_hang_is_ended(scripted_torch_worker, relu_program());
}

TEST_CASE("operators, attributes, versions and inputs that have no mapping to PyTorch are named") {
  DoorWorker worker = scripted_torch_worker("right");
  const auto told = [&](const GraphModel& model, const std::vector<GraphTensor>& given = eight_numbers()) {
    const auto run = worker.run({write_onnx_model(model), read_mode_name("torch.cpu").value()}, given);
    return run ? std::string() : run.error().message;
  };
  const auto tells = [](const std::string& message, const char* words) {
    CAPTURE(message);
    return message.find(words) != std::string::npos;
  };
  OperatorGraph other = relu_of_eight();
  other.nodes[0].operation = "Hardmax";
  CHECK(tells(told({other}), "PyTorch has no mapping of ONNX's Hardmax"));
  other.nodes[0].operation = "Relu";
  other.nodes[0].domain = "com.example";
  CHECK(tells(told({other}), "com.example.Relu"));
  other = relu_of_eight();
  other.nodes[0].attributes.emplace_back("slope", 0.5F);
  CHECK(tells(told({other}), "does not heed its attribute slope"));
  other.nodes[0] = {"Tanh", {"x"}, {"y"}};
  CHECK(tells(told({other}), "Could not find schema for aten::tanh"));
  other.inputs[0].extents = {1, 1, 2, 4};
  other.nodes[0] = {"Attention", {"x", "x", "x", "", "x", "x"}, {"y"}};
  const std::vector<GraphTensor> heads{
      tensor_of_values("x", TensorType::float32, {1, 1, 2, 4}, std::vector<double>(8, 1))};
  CHECK(tells(told({other}, heads), "attention with a past"));
  other.nodes[0] = {"MaxPool",
                    {"x"},
                    {"y"},
                    {GraphAttribute("kernel_shape", std::vector<std::int64_t>{1, 2}),
                     GraphAttribute("pads", std::vector<std::int64_t>{1})}};
  CHECK(tells(told({other}, heads), "windows of other than 2 dimensions"));
  GraphModel older{relu_of_eight()};
  older.opsets[""] = 13;
  CHECK(tells(told(older), "a version before 21"));
  auto given = eight_numbers();
  given[0].type = TensorType::float8e8m0;
  given[0].bytes.resize(8);
  CHECK(tells(told({relu_of_eight()}, given), "no elements of type float8e8m0"));
  given = eight_numbers();
  given[0].bytes.pop_back();
  CHECK(tells(told({relu_of_eight()}, given), "of 31 bytes"));
  CHECK(tells(told({relu_of_eight()}, {}), "no input 0"));
  CHECK(told({relu_of_eight()}).empty());
}

TEST_CASE("a PyTorch that lacks a function, or is none, is not asked further") {
  CHECK(Torch::open("/nowhere/libtorch_cpu.so").error().kind == ErrorKind::not_found);
  DoorWorker lacking({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_TORCH_LACKING, "torch"});
  const auto run = lacking.run(relu_program(), eight_numbers());
  REQUIRE(!run);
  CHECK(run.error().kind == ErrorKind::unsupported);
  CHECK(run.error().message.find("torch_call_dispatcher") != std::string::npos);
  DoorWorker another({ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO, "torch"});
  CHECK(another.describe().error().message.find("no C interface of PyTorch") != std::string::npos);
}

TEST_CASE("PyTorch's results are judged like everybody's: wrong numbers fail, right ones pass") {
  CHECK(relu_on(scripted_torch_door("right")).verdict == Verdict::pass);
  for (const char* fault : {"wrong numbers", "one wrong element", "ignores its input"}) {
    CAPTURE(fault);
    CHECK(relu_on(scripted_torch_door(fault)).verdict == Verdict::fail);
  }
  for (const char* fault : {"another shape", "another type", "aborts while running", "no tensor"}) {
    CAPTURE(fault);
    CHECK(relu_on(scripted_torch_door(fault)).verdict == Verdict::error);
  }
  CHECK(relu_on(scripted_torch_door("another device")).verdict == Verdict::unsupported);
}
