// A library with the functions of OpenVINO's C interface that Assay calls, which computes Relu of float32 tensors. The
// variable ASSAY_SCRIPTED_OPENVINO names what is wrong with it; empty or "right": nothing.
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "assay/frameworks/detail/openvino_interface.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace {

namespace ov = assay::detail::ov;

bool is(const char* fault) {
  const char* const asked = std::getenv("ASSAY_SCRIPTED_OPENVINO");
  return asked != nullptr && std::strcmp(asked, fault) == 0;
}

std::string& last() {
  static std::string message;
  return message;
}
int failed(int status, const std::string& message) {
  last() = message;
  return status;
}

constexpr int float32 = 4;

struct Tensor {
  int type = float32;
  std::vector<std::int64_t> extents;
  void* data = nullptr;
  std::vector<float> own;

  std::size_t size() const {
    std::size_t all = 1;
    for (const std::int64_t extent : extents) all *= static_cast<std::size_t>(extent);
    return all;
  }
};
struct Compiled {
  assay::GraphModel model;
  std::string device, execution = "jit_avx512_f32";
};
struct Request {
  Compiled* compiled = nullptr;
  std::map<std::string, Tensor*> tensors;
  Tensor result;
};

std::size_t bits_of_type(int type) {
  const int onnx = ov::from_openvino(is("older numbers of types") ? type - 1 : type);
  return static_cast<std::size_t>(assay::bits_of(static_cast<assay::TensorType>(onnx < 0 ? 0 : onnx)));
}

}  // namespace

extern "C" {

const char* ov_get_last_err_msg() {
  return last().c_str();
}
const char* ov_get_error_info(int) {
  return "general error";
}
void ov_free(const char* text) {
  std::free(const_cast<char*>(text));
}
int ov_get_openvino_version(ov::Version* version) {
  version->build = "0.0-scripted";
  return 0;
}
void ov_version_free(ov::Version*) {}
int ov_core_create(void** core) {
  static int own = 0;
  if (is("no core")) return 0;
  if (is("no plugins")) return failed(-1, "plugins.xml is missing");
  *core = &own;
  return 0;
}
int ov_core_get_available_devices(void*, ov::Devices* devices) {
  static char names[2][4] = {"CPU", "NPU"};
  static char* all[2] = {names[0], names[1]};
  *devices = {all, 2};
  return 0;
}
void ov_available_devices_free(ov::Devices*) {}
int ov_core_read_model_from_memory_buffer(void*, const char* bytes, std::size_t size, void*, void** model) {
  if (is("aborts while reading")) {
    std::fprintf(stderr, "frontend assertion failed\n");
    std::abort();
  }
  auto read = assay::read_onnx_model({bytes, size});
  if (!read) return failed(-1, "the model cannot be read");
  for (const assay::GraphNode& node : read.value().graph.nodes)
    if (node.operation != "Relu") return failed(-1, "no translator for " + node.operation);
  *model = new assay::GraphModel(std::move(read).value());
  return 0;
}
void ov_model_free(void* model) {
  delete static_cast<assay::GraphModel*>(model);
}
#if !defined(ASSAY_SCRIPTED_WITHOUT_COMPILE)
int ov_core_compile_model(void*, void* model, const char* device, std::size_t count, void** compiled, ...) {
  if (is("hangs while compiling"))
    for (;;) ::sleep(1);
  if (is("not implemented")) return failed(ov::not_implemented, "not implemented");
  if (std::strcmp(device, "CPU") != 0 && std::strcmp(device, "NPU") != 0)
    return failed(-1, std::string("Device with \"") + device + "\" name is not registered in the OpenVINO Runtime");
  auto own = new Compiled{*static_cast<assay::GraphModel*>(model), device};
  bool profiled = false, accurate = false;
  std::va_list properties;
  va_start(properties, compiled);
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    const std::string key = va_arg(properties, const char*), value = va_arg(properties, const char*);
    profiled |= key == "PERF_COUNT" && value == "YES";
    accurate |= key == "EXECUTION_MODE_HINT" && value == "ACCURACY";
    if (key != "PERF_COUNT" && key != "EXECUTION_MODE_HINT" && key != "INFERENCE_NUM_THREADS") {
      va_end(properties);
      return failed(-1, "unsupported property " + key);
    }
  }
  va_end(properties);
  if (!profiled) return failed(-1, "nothing is profiled");
  if (is("lowers") && !accurate) own->execution = "jit_avx512_bf16";
  if (is("no compiled model")) return 0;
  *compiled = own;
  return 0;
}
#endif
void ov_compiled_model_free(void* compiled) {
  delete static_cast<Compiled*>(compiled);
}
int ov_compiled_model_get_property(void* compiled, const char* key, char** value) {
  if (std::strcmp(key, "EXECUTION_DEVICES") != 0) return failed(-1, "unsupported property");
  *value = ::strdup(is("another device") ? "GPU" : static_cast<Compiled*>(compiled)->device.c_str());
  return 0;
}
int ov_compiled_model_input_by_name(void* compiled, const char* name, void** port) {
  for (const assay::GraphValue& value : static_cast<Compiled*>(compiled)->model.graph.inputs)
    if (value.name == name) {
      *port = compiled;
      return 0;
    }
  return failed(-1, "no such input");
}
void ov_output_const_port_free(void*) {}
int ov_compiled_model_create_infer_request(void* compiled, void** request) {
  *request = new Request{static_cast<Compiled*>(compiled), {}, {}};
  return 0;
}
void ov_infer_request_free(void* request) {
  delete static_cast<Request*>(request);
}
int ov_infer_request_set_tensor(void* request, const char* name, void* tensor) {
  if (static_cast<Tensor*>(tensor)->type != float32) return failed(-1, "the element type does not match the model's");
  static_cast<Request*>(request)->tensors[name] = static_cast<Tensor*>(tensor);
  return 0;
}
int ov_infer_request_infer(void* request) {
  if (is("aborts while running")) std::abort();
  if (is("crashes while running")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("leaves by exit")) std::exit(0);
  if (is("fails while running")) return failed(-1, "kernel launch failed");
  if (is("fails without a message")) return failed(-1, "");
  auto& own = *static_cast<Request*>(request);
  const auto found = own.tensors.find(own.compiled->model.graph.inputs.at(0).name);
  if (found == own.tensors.end()) return failed(-1, "an input is not set");
  const Tensor& input = *found->second;
  own.result = {float32, input.extents, nullptr, {}};
  const float* const x = static_cast<const float*>(input.data);
  for (std::size_t i = 0; i < input.size(); ++i) {
    float value = x[i] < 0 ? 0 : x[i];
    if (own.compiled->execution == "jit_avx512_bf16") {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000U;
      std::memcpy(&value, &bits, sizeof bits);
    }
    own.result.own.push_back(value);
  }
  auto& result = own.result;
  if (is("wrong numbers"))
    for (std::size_t i = 0; i < result.own.size(); i += 7) result.own[i] *= 1.0001F;
  if (is("one wrong element") && result.own.size() > 5) result.own[5] = result.own[5] > 0 ? 0 : 1;
  if (is("ignores its input"))
    for (float& value : result.own) value = 0;
  if (is("another shape")) result.extents.push_back(1);
  if (is("another type")) result.type = 9;
  if (is("unknown type")) result.type = 77;
  if (is("negative extents")) result.extents.assign(1, -4);
  if (is("many dimensions")) result.extents.assign(1000, 1);
  result.data = is("null data") ? nullptr : result.own.data();
  return 0;
}
int ov_infer_request_get_tensor(void* request, const char* name, void** tensor) {
  auto& own = *static_cast<Request*>(request);
  if (own.compiled->model.graph.outputs.at(0).name != name) return failed(-1, "no such output");
  if (is("no output")) return 0;
  *tensor = new Tensor(own.result);
  static_cast<Tensor*>(*tensor)->data = is("null data") ? nullptr : own.result.own.data();
  return 0;
}
int ov_infer_request_get_profiling_info(void* request, ov::Profiles* profiles) {
  static ov::Profile all[2];
  all[0] = {0, 0, 0, "x", "unknown_f32", "Parameter"};
  all[1] = {ov::executed, 1, 1, "Relu_0", static_cast<Request*>(request)->compiled->execution.c_str(), "Relu"};
  *profiles = {all, 2};
  return 0;
}
void ov_profiling_info_list_free(ov::Profiles*) {}
int ov_tensor_create(int type, ov::Shape shape, void** tensor) {
  *tensor = new Tensor{type, {shape.extents, shape.extents + shape.rank}, nullptr, {}};
  return 0;
}
int ov_tensor_create_from_host_ptr(int type, ov::Shape shape, void* data, void** tensor) {
  *tensor = new Tensor{type, {shape.extents, shape.extents + shape.rank}, data, {}};
  return 0;
}
void ov_tensor_free(void* tensor) {
  delete static_cast<Tensor*>(tensor);
}
int ov_tensor_get_shape(void* tensor, ov::Shape* shape) {
  const auto& extents = static_cast<Tensor*>(tensor)->extents;
  if (extents.empty()) return ov::invalid_argument;  // as the real one does
  shape->rank = static_cast<std::int64_t>(extents.size());
  shape->extents = static_cast<std::int64_t*>(std::malloc((extents.size() + 1) * sizeof(std::int64_t)));
  if (!extents.empty()) std::memcpy(shape->extents, extents.data(), extents.size() * sizeof(std::int64_t));
  return 0;
}
int ov_shape_free(ov::Shape* shape) {
  std::free(shape->extents);
  return 0;
}
int ov_tensor_get_element_type(void* tensor, int* type) {
  *type = static_cast<Tensor*>(tensor)->type;
  return 0;
}
int ov_tensor_get_byte_size(void* tensor, std::size_t* bytes) {
  const auto& own = *static_cast<Tensor*>(tensor);
  *bytes = (own.size() * bits_of_type(own.type) + 7) / 8 + (is("longer data") && own.data != nullptr ? 8 : 0);
  return 0;
}
int ov_tensor_data(void* tensor, void** data) {
  *data = static_cast<Tensor*>(tensor)->data;
  return 0;
}

}  // extern "C"
