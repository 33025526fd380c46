#include "assay/frameworks/door/door_subject.hpp"

#include <string>

#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_operation.hpp"
#include "testing/catch.hpp"
#include "testing/scripted_door.hpp"

using namespace assay;
using assay::testing::scripted_door;

namespace {

Outcome relu_on(const Door& door, FillKind fill = FillKind::normal, OperandStorage storage = {}) {
  ElementwiseProblem problem;
  problem.rank = 2;
  problem.extents[0] = 7;
  problem.extents[1] = 33;
  OperationCheckOptions options;
  options.storage = storage;
  Host host(1);
  return check_operation<Elementwise>(host, door_subject<Elementwise>(door), problem, fill, options, {1});
}

}  // namespace

TEST_CASE("a right runtime passes with the references and bounds that there are, whatever the storage") {
  const Door door = scripted_door("right");
  CHECK(relu_on(door).verdict == Verdict::pass);
  CHECK(relu_on(door, FillKind::special).verdict == Verdict::pass);
  CHECK(relu_on(door, FillKind::normal, {3, 1}).verdict == Verdict::pass);
  CHECK(relu_on(scripted_door("right", "Scripted")).verdict == Verdict::pass);
}

TEST_CASE("a runtime with wrong numbers fails") {
  for (const char* fault : {"wrong numbers", "one wrong element", "ignores its input"}) {
    CAPTURE(fault);
    CHECK(relu_on(scripted_door(fault)).verdict == Verdict::fail);
  }
}

TEST_CASE("a runtime that gives what it does not declare, or refuses, never passes") {
  const Outcome shape = relu_on(scripted_door("another shape"));
  CHECK(shape.verdict == Verdict::error);
  CHECK(shape.reason.find("float32[7x33x1]; the model declares float32[7x33]") != std::string::npos);
  CHECK(relu_on(scripted_door("another type")).verdict == Verdict::error);
  CHECK(relu_on(scripted_door("no output")).verdict == Verdict::error);
  CHECK(relu_on(scripted_door("aborts while running")).verdict == Verdict::error);
  CHECK(relu_on(scripted_door("hangs while compiling", "cpu", 0.5)).verdict == Verdict::error);
  CHECK(relu_on(scripted_door("falls back", "Scripted")).verdict == Verdict::unsupported);
  CHECK(relu_on(scripted_door("wrong version")).verdict == Verdict::unsupported);
  SoftmaxProblem softmax;
  softmax.outer = 2;
  softmax.length = 3;
  Host host(1);
  const Outcome refused =
      check_operation<Softmax>(host, door_subject<Softmax>(scripted_door("right")), softmax, FillKind::normal, {}, {1});
  CHECK(refused.verdict == Verdict::unsupported);
  CHECK(refused.reason.find("no kernel for Softmax") != std::string::npos);
}

TEST_CASE("a runtime that is not here is unsupported, with what to install") {
  Door door;
  door.name = "ort.cpu.level99";
  door.absent = "pip install onnxruntime";
  const Outcome outcome = relu_on(door);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK(outcome.reason.find("pip install onnxruntime") != std::string::npos);
}
