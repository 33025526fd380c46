#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/monotonic_time.hpp"
#include "assay/frameworks/door/door_subject.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/validators/check_operation.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// A door to the scripted ONNX Runtime with that fault, see scripted_onnx_runtime.cpp.
inline DoorWorker scripted_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker(
      {"/usr/bin/env", "ASSAY_SCRIPTED_ONNXRUNTIME=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_ONNX_RUNTIME}, seconds);
}

inline Door scripted_door(const std::string& fault, const std::string& provider = "cpu", double seconds = 20) {
  Door door;
  door.name = "ort." + provider + ".level99";
  door.mode.provider.name = provider;
  door.worker = std::make_shared<DoorWorker>(scripted_worker(fault, seconds));
  return door;
}

/// A door in the mode of that name.
inline Door door_of_mode(const std::string& name, DoorWorker worker) {
  Door door;
  door.name = name;
  door.mode = read_mode_name(name).value();
  door.worker = std::make_shared<DoorWorker>(std::move(worker));
  return door;
}

/// The same of the scripted plugin of PJRT, see scripted_pjrt.cpp.
inline DoorWorker scripted_pjrt_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker({"/usr/bin/env", "ASSAY_SCRIPTED_PJRT=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_PJRT, "pjrt"},
                    seconds);
}

inline Door scripted_pjrt_door(const std::string& fault, double seconds = 20) {
  Door door;
  door.name = "xla";
  door.mode.runtime = ForeignRuntime::pjrt;
  door.mode.provider.name = "";
  door.worker = std::make_shared<DoorWorker>(scripted_pjrt_worker(fault, seconds));
  return door;
}

/// The same of the scripted OpenVINO, see scripted_openvino.cpp.
inline DoorWorker scripted_openvino_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker(
      {"/usr/bin/env", "ASSAY_SCRIPTED_OPENVINO=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO, "openvino"},
      seconds);
}

inline Door scripted_openvino_door(const std::string& fault, double seconds = 20) {
  return door_of_mode("openvino", scripted_openvino_worker(fault, seconds));
}

/// The same of the scripted PyTorch, see scripted_torch.cpp.
inline DoorWorker scripted_torch_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker({"/usr/bin/env", "ASSAY_SCRIPTED_TORCH=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_TORCH, "torch"},
                    seconds);
}

inline Door scripted_torch_door(const std::string& fault, double seconds = 20) {
  return door_of_mode("torch.cpu", scripted_torch_worker(fault, seconds));
}

/// The same of the scripted TensorFlow, see scripted_tensorflow.cpp.
inline DoorWorker scripted_tensorflow_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker({"/usr/bin/env", "ASSAY_SCRIPTED_TENSORFLOW=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_TENSORFLOW,
                     "tensorflow"},
                    seconds);
}

inline Door scripted_tensorflow_door(const std::string& fault, double seconds = 20) {
  return door_of_mode("tensorflow.cpu", scripted_tensorflow_worker(fault, seconds));
}

/// Eight numbers for the input "x" of a graph.
inline std::vector<GraphTensor> eight_numbers() {
  return {tensor_of_values("x", TensorType::float32, {8}, {-1, 2, -3, 4, 5, 6, -7, 8})};
}

/// y = max(x, 0) of eight float32.
inline OperatorGraph relu_of_eight() {
  OperatorGraph graph;
  graph.nodes.push_back({"Relu", {"x"}, {"y"}});
  graph.inputs.push_back({"x", TensorType::float32, {8}});
  graph.outputs.push_back({"y", TensorType::float32, {8}});
  return graph;
}

/// That graph as a file of ONNX, in the mode of that name.
inline GraphProgram relu_program(const std::string& mode) {
  return {write_onnx_model({relu_of_eight()}), read_mode_name(mode).value()};
}

/// relu of 7 × 33 float32 through a door.
inline Outcome relu_on(const Door& door) {
  ElementwiseProblem problem;
  problem.rank = 2;
  problem.extents[0] = 7;
  problem.extents[1] = 33;
  Host host(1);
  return check_operation<Elementwise>(host, door_subject<Elementwise>(door), problem, FillKind::normal, {}, {1});
}

/// Right numbers pass, wrong ones fail, and what a runtime does instead of an answer is an error of the case.
inline void check_results_are_judged(Door (*door_of)(const std::string&, double),
                                     const std::vector<std::string>& errors) {
  CHECK(relu_on(door_of("right", 20)).verdict == Verdict::pass);
  for (const char* fault : {"wrong numbers", "one wrong element", "ignores its input"}) {
    CAPTURE(fault);
    CHECK(relu_on(door_of(fault, 20)).verdict == Verdict::fail);
  }
  for (const std::string& fault : errors) {
    CAPTURE(fault);
    CHECK(relu_on(door_of(fault, 20)).verdict == Verdict::error);
  }
}

/// What a scripted runtime does, and what is to be told of it.
struct DoorFault {
  const char *fault, *words;
  ErrorKind kind;
};

/// Every fault is told with its kind, twice: the process that it ended is followed by another.
inline void check_faults_are_told(DoorWorker (*worker_of)(const std::string&, double), const GraphProgram& program,
                                  const std::vector<DoorFault>& faults) {
  for (const DoorFault& row : faults) {
    CAPTURE(row.fault);
    DoorWorker worker = worker_of(row.fault, 20);
    for (int round = 0; round < 2; ++round) {
      const auto run = worker.run(program, eight_numbers());
      REQUIRE(!run);
      CAPTURE(run.error().message);
      CHECK(run.error().message.find(row.words) != std::string::npos);
      CHECK(run.error().kind == row.kind);
    }
  }
}

/// A runtime that hangs while it compiles is ended, long before a test would be.
inline void check_hang_is_ended(DoorWorker (*worker_of)(const std::string&, double), const GraphProgram& program) {
  DoorWorker worker = worker_of("hangs while compiling", 0.5);
  const std::int64_t start = detail::monotonic_nanoseconds();
  const auto run = worker.run(program, eight_numbers());
  REQUIRE(!run);
  CHECK(run.error().kind == ErrorKind::timed_out);
  CHECK(detail::monotonic_nanoseconds() - start < 20'000'000'000);
}

}  // namespace assay::testing
