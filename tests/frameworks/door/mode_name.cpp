#include "assay/frameworks/door/mode_name.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("modes come back from their names") {
  for (const char* name : {"ort.cpu.level0",
                           "ort.cpu.level99",
                           "ort.cpu.level1.threads4",
                           "ort.OpenVINO.device_type=CPU.precision=f32.level2",
                           "ort.QNN.level99",
                           "xla",
                           "xla.cpu",
                           "xla.no-excess",
                           "xla.cpu.no-excess.highest",
                           "xla.xla_cpu_enable_fast_math=true",
                           "openvino",
                           "openvino.accurate",
                           "openvino.GPU.accurate.threads4",
                           "openvino.NPU",
                           "openvino.INFERENCE_PRECISION_HINT=bf16",
                           "torch.cpu",
                           "torch.cpu.threads4",
                           "tensorflow.cpu",
                           "tensorflow.gpu",
                           "tensorflow.cpu.threads2"}) {
    const auto mode = read_mode_name(name);
    REQUIRE(mode);
    CHECK(mode_name(mode.value()) == name);
  }
  const auto mode = read_mode_name("ort.OpenVINO.device_type=CPU.level2.threads8");
  REQUIRE(mode);
  CHECK(mode.value().provider.options.at(0).second == "CPU");
  CHECK(mode.value().threads == 8);
}

TEST_CASE("words of names are options of the runtime") {
  const ExecutionMode strict = read_mode_name("xla.no-excess").value();
  CHECK(strict.runtime == ForeignRuntime::pjrt);
  CHECK(strict.provider.name.empty());
  CHECK(strict.provider.options.at(0) == std::pair<std::string, std::string>("xla_allow_excess_precision", "false"));
  CHECK(!strict.highest_precision);
  CHECK(read_mode_name("xla.tpu.highest").value().highest_precision);
  for (const char* name : {"xla.cpu.gpu", "xla.", "xla..no-excess", "xla.no-excess.cpu", "xla.=true"}) {
    CAPTURE(name);
    CHECK(read_mode_name(name).error().kind == ErrorKind::invalid);
  }
}

TEST_CASE("of OpenVINO a mode is that of one device") {
  const ExecutionMode accurate = read_mode_name("openvino.accurate").value();
  CHECK(accurate.runtime == ForeignRuntime::openvino);
  CHECK(accurate.provider.name == "CPU");
  CHECK(accurate.provider.options.at(0) == std::pair<std::string, std::string>("EXECUTION_MODE_HINT", "ACCURACY"));
  CHECK(read_mode_name("openvino").value().provider.options.empty());
  CHECK(read_mode_name("openvino.NPU").value().provider.name == "NPU");
  CHECK(read_mode_name("openvino.AUTO").error().message.find("several devices") != std::string::npos);
  for (const char* name :
       {"openvino.", "openvino.cpu", "openvino.accurate.CPU", "openvino.threads0", "openvino.=f32"}) {
    CAPTURE(name);
    CHECK(read_mode_name(name).error().kind == ErrorKind::invalid);
  }
}

TEST_CASE("what names no mode says why") {
  for (const char* name :
       {"ort", "ort.cpu", "ort..level1", "ort.cpu.level3", "ort.cpu.level", "ort.cpu.level1.threads0",
        "ort.cpu.level1.x", "ort.cpu.threads4.level1", "ort.cpu.level1.level2", "cpu.level1.x", ""}) {
    CAPTURE(name);
    const auto mode = read_mode_name(name);
    REQUIRE(!mode);
    CHECK(mode.error().message.find("ort.cpu.level99") != std::string::npos);
  }
}

TEST_CASE("of a framework that computes operators one by one a mode is a device and threads") {
  const ExecutionMode torch = read_mode_name("torch.cpu.threads4").value();
  CHECK(torch.runtime == ForeignRuntime::torch);
  CHECK(torch.provider.name == "cpu");
  CHECK(torch.threads == 4);
  CHECK(read_mode_name("tensorflow.gpu").value().runtime == ForeignRuntime::tensorflow);
  for (const char* name : {"torch", "torch.", "torch.gpu", "torch.cpu.threads1", "torch.cpu.threads", "tensorflow.tpu",
                           "tensorflow.cpu.4", "tensorflow.cpu.threads2.threads3"}) {
    CAPTURE(name);
    const auto refused = read_mode_name(name);
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::invalid);
    CHECK(refused.error().message.find(".cpu") != std::string::npos);
  }
}
