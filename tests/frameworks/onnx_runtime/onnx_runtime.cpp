#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"

#include <cstdlib>

#include "assay/frameworks/detail/onnx_runtime_library.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("what is no ONNX Runtime is not opened") {
  CHECK(OnnxRuntime::open("/nowhere/libonnxruntime.so").error().kind == ErrorKind::not_found);
}

TEST_CASE("a worker that nobody started ends") {
  const std::string command = std::string(ASSAY_DOOR_WORKER) + " " + ASSAY_SCRIPTED_ONNX_RUNTIME + " 3<&-";
  CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("profiles tell who computed which node, as ONNX Runtime writes them") {
  const std::string text =
      "[\n"
      "{\"cat\" : \"Session\",\"pid\" :1,\"tid\" :2,\"dur\" :9,\"ts\" :3,\"ph\" : \"X\",\"name\" "
      ":\"model_run\",\"args\" : {}},\n"
      "{\"cat\" : \"Node\",\"pid\" :1,\"tid\" :2,\"dur\" :9,\"ts\" :3,\"ph\" : \"X\",\"name\" "
      ":\"MatMul_0_kernel_time\",\"args\" : "
      "{\"output_size\" : \"8\",\"op_name\" : \"MatMul\",\"provider\" : \"CPUExecutionProvider\"}},\n"
      "{\"name\" :\"cut_kernel_time\",\"args\" : {\"op_name\" : \"Cut\",\"provider";
  const auto nodes = detail::read_onnx_runtime_profile(text);
  REQUIRE(nodes.size() == 1);
  CHECK(nodes[0].node == "MatMul_0");
  CHECK(nodes[0].operation == "MatMul");
  CHECK(nodes[0].provider == "CPUExecutionProvider");
  CHECK(detail::is_provider("CPUExecutionProvider", "cpu"));
  CHECK(detail::is_provider("OpenVINOExecutionProvider", "OpenVINO"));
  CHECK(!detail::is_provider("CPUExecutionProvider", "OpenVINO"));
}
