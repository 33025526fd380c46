#include "assay/frameworks/pjrt/pjrt.hpp"

#include <string>
#include <vector>

#include "assay/frameworks/detail/pjrt_library.hpp"
#include "assay/frameworks/stablehlo/write_stablehlo.hpp"
#include "testing/catch.hpp"
#include "testing/scripted_door.hpp"

using namespace assay;
using assay::testing::check_faults_are_told;
using assay::testing::check_hang_is_ended;
using assay::testing::check_results_are_judged;
using assay::testing::eight_numbers;
using assay::testing::relu_of_eight;
using assay::testing::relu_on;
using assay::testing::scripted_pjrt_door;
using assay::testing::scripted_pjrt_worker;

namespace {

GraphProgram relu_program() {
  GraphProgram program{write_stablehlo(relu_of_eight()).value(), {}};
  program.mode.runtime = ForeignRuntime::pjrt;
  program.mode.provider.name = "";
  return program;
}

}  // namespace

TEST_CASE("a plugin describes itself and runs, again and again") {
  DoorWorker worker = scripted_pjrt_worker("right");
  const auto described = worker.describe();
  REQUIRE(described);
  CHECK(described.value().version == "PJRT 0.81, version 0.0");
  CHECK(described.value().providers == std::vector<std::string>{"scripted"});
  for (int round = 0; round < 3; ++round) {
    const auto run = worker.run(relu_program(), eight_numbers());
    REQUIRE(run);
    REQUIRE(run.value().outputs.size() == 1);
    CHECK(run.value().outputs[0].name == "y");
    CHECK(run.value().outputs[0].extents == std::vector<std::int64_t>{8});
    CHECK(value_at(run.value().outputs[0], 0) == 0);
    CHECK(value_at(run.value().outputs[0], 7) == 8);
  }
}

TEST_CASE("what a plugin does is told, and the next run has another process") {
  check_faults_are_told(scripted_pjrt_worker, relu_program(),
                        {{"aborts while compiling", "compiler assertion 1 < 0 failed", ErrorKind::device},
                         {"aborts while running", "signal 6", ErrorKind::device},
                         {"crashes while running", "signal 11", ErrorKind::device},
                         {"leaves by exit", "exit code 0", ErrorKind::device},
                         {"fails while running", "kernel launch failed", ErrorKind::device},
                         {"runs out of memory", "out of memory", ErrorKind::device},
                         {"fails without a message", "could not run the module", ErrorKind::device},
                         {"cannot parse", "failed to parse", ErrorKind::invalid},
                         {"no client", "made no client", ErrorKind::device},
                         {"no devices", "has no device", ErrorKind::unsupported},
                         {"no device here", "no such device is installed", ErrorKind::unsupported},
                         {"no executable", "gave no executable", ErrorKind::device},
                         {"two outputs", "made 2 results of a module with 1", ErrorKind::device},
                         {"very many outputs", "results of a module with 1", ErrorKind::device},
                         {"no output", "gave no output 'y'", ErrorKind::device},
                         {"unknown type", "element type 77", ErrorKind::unsupported},
                         {"many dimensions", "1000 dimensions", ErrorKind::device},
                         {"negative extents", "float32[-4]", ErrorKind::device},
                         {"longer data", "of 40 bytes", ErrorKind::device},
                         {"missing functions", "no function number 20", ErrorKind::unsupported},
                         {"table of another size", "no function number 16", ErrorKind::unsupported},
                         {"another major version", "PJRT 1.81", ErrorKind::unsupported},
                         {"no table", "no GetPjrtApi", ErrorKind::unsupported}});
}

TEST_CASE("a plugin that does not answer is killed in time") {
  check_hang_is_ended(scripted_pjrt_worker, relu_program());
}

TEST_CASE("a plugin of another platform, unknown flags and inputs that no module has are told of") {
  DoorWorker worker = scripted_pjrt_worker("right");
  GraphProgram program = relu_program();
  program.mode.provider.name = "scripted";
  CHECK(worker.run(program, eight_numbers()));
  program.mode.provider.name = "tpu";
  const auto other = worker.run(program, eight_numbers());
  REQUIRE(!other);
  CHECK(other.error().kind == ErrorKind::unsupported);
  CHECK(other.error().message.find("of the platform 'scripted', not of 'tpu'") != std::string::npos);
  program = relu_program();
  program.mode.provider.options = {{"xla_no_such_flag", "true"}};
  CHECK(worker.run(program, eight_numbers()).error().message.find("unknown flag") != std::string::npos);
  auto others = eight_numbers();
  others[0].name = "w";
  CHECK(worker.run(relu_program(), others).error().message.find("'x' is not given") != std::string::npos);
  others = eight_numbers();
  others[0].type = TensorType::int4;
  CHECK(worker.run(relu_program(), others).error().kind == ErrorKind::unsupported);
  DoorWorker absent({ASSAY_DOOR_WORKER, "/nowhere/pjrt.so", "pjrt"});
  CHECK(absent.describe().error().kind == ErrorKind::not_found);
}

TEST_CASE("operations are judged on a plugin as on any backend") {
  check_results_are_judged(scripted_pjrt_door, {"another shape", "another type", "no output", "aborts while running"});
  CHECK(relu_on(scripted_pjrt_door("table of another size")).verdict == Verdict::unsupported);
}

TEST_CASE("libtpu is not asked where there is no TPU") {
  const auto opened = Pjrt::open("/nowhere/libtpu.so");
  REQUIRE(!opened);
  const bool known = opened.error().kind == ErrorKind::unsupported || opened.error().kind == ErrorKind::not_found;
  CHECK(known);
}

TEST_CASE("names of arguments and results are read from a module") {
  const auto names = detail::read_module_names(
      "module @m {\n  func.func public @main(%a: tensor<2xf32>, %b: tensor<f32>) -> (tensor<2xf32> {jax.result_info = "
      "\"y\"}, tensor<f32> {jax.result_info = \"z\"}) {\n    %c = stablehlo.add %a, %a : tensor<2xf32>\n");
  CHECK(names.inputs == std::vector<std::string>{"a", "b"});
  CHECK(names.outputs == std::vector<std::string>{"y", "z"});
  CHECK(detail::read_module_names("").inputs.empty());
  CHECK(detail::read_module_names("func @main(%a: tensor<f32>) -> tensor<f32> {").outputs.empty());
}

TEST_CASE("compile options are a message of XLA's") {
  const std::string plain = detail::pjrt_compile_options({});
  CHECK(plain == std::string("\x1a\x04\x20\x01\x28\x01", 6));
  const std::string all = detail::pjrt_compile_options({{"f", "false"}, {"n", "12"}, {"s", "fast"}});
  CHECK(all.substr(6) == std::string("\x3a\x07\x0a\x01"
                                     "f\x12\x02\x10\x00"
                                     "\x3a\x07\x0a\x01"
                                     "n\x12\x02\x18\x0c"
                                     "\x3a\x0b\x0a\x01"
                                     "s\x12\x06\x0a\x04"
                                     "fast",
                                     31));
}
