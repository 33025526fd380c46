// A library with the functions of TensorFlow's C interface that Assay calls, whose only operator is Relu of float32, on
// a CPU and a GPU. The variable ASSAY_SCRIPTED_TENSORFLOW names what is wrong with it; empty or "right": nothing.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "assay/frameworks/detail/tensorflow_interface.hpp"

namespace {

namespace tf = assay::detail::tf;

bool is(const char* fault) {
  const char* const asked = std::getenv("ASSAY_SCRIPTED_TENSORFLOW");
  return asked != nullptr && std::strcmp(asked, fault) == 0;
}

constexpr int float32 = 1, invalid_argument = 3, internal = 13;
constexpr const char* devices[] = {"/job:localhost/replica:0/task:0/device:CPU:0",
                                   "/job:localhost/replica:0/task:0/device:GPU:0"};

struct Status {
  int code = 0;
  std::string message;
};
void say(void* status, int code = 0, const std::string& message = "") {
  *static_cast<Status*>(status) = {code, message};
}

struct Tensor {
  int type = float32;
  std::vector<std::int64_t> extents;
  std::string bytes;
};
/// A handle is a tensor on a device.
struct Handle {
  Tensor tensor;
  std::string device = devices[0];
};
struct Operation {
  std::string name, device;
  std::vector<Handle*> inputs;
};

}  // namespace

extern "C" {

const char* TF_Version() {
  return "0.0-scripted";
}
void* TF_NewStatus() {
  return is("no status") ? nullptr : new Status;
}
void TF_DeleteStatus(void* status) {
  delete static_cast<Status*>(status);
}
int TF_GetCode(void* status) {
  return static_cast<Status*>(status)->code;
}
const char* TF_Message(void* status) {
  return static_cast<Status*>(status)->message.c_str();
}
void TF_SetStatus(void* status, int code, const char* message) {
  say(status, code, message);
}
std::size_t TF_DataTypeSize(int type) {
  const auto own = tf::from_tensorflow(is("older numbers of types") ? type + 1 : type);
  return static_cast<std::size_t>(assay::bits_of(own)) / 8;
}
void* TF_NewTensor(int type, const std::int64_t* extents, int rank, void* data, std::size_t bytes,
                   void (*)(void*, std::size_t, void*), void*) {
  if (is("takes no tensors")) return nullptr;
  return new Tensor{type, {extents, extents + rank}, {static_cast<const char*>(data), bytes}};
}
void TF_DeleteTensor(void* tensor) {
  delete static_cast<Tensor*>(tensor);
}
void* TF_TensorData(void* tensor) {
  return is("null data") ? nullptr : static_cast<Tensor*>(tensor)->bytes.data();
}
std::size_t TF_TensorByteSize(void* tensor) {
  return static_cast<Tensor*>(tensor)->bytes.size() + (is("longer data") ? 8 : 0);
}
void TF_DeleteDeviceList(void*) {}
int TF_DeviceListCount(const void*) {
  return is("no devices") ? 0 : 2;
}
const char* TF_DeviceListName(const void*, int index, void* status) {
  say(status);
  return devices[index];
}

void* TFE_NewContextOptions() {
  return new int;
}
void TFE_ContextOptionsSetConfig(void*, const void*, std::size_t, void* status) {
  say(status);
}
void TFE_DeleteContextOptions(void* options) {
  delete static_cast<int*>(options);
}
void* TFE_NewContext(const void*, void* status) {
  say(status, is("fails to start") ? internal : 0, "there is no runtime");
  return is("no context") || is("fails to start") ? nullptr : new int;
}
void TFE_DeleteContext(void* context) {
  delete static_cast<int*>(context);
}
void* TFE_ContextListDevices(void*, void*) {
  static int list = 0;
  return &list;  // the status is left as it is, as the real one does
}
void* TFE_NewTensorHandle(const void* tensor, void* status) {
  say(status);
  return new Handle{*static_cast<const Tensor*>(tensor)};
}
void TFE_DeleteTensorHandle(void* handle) {
  delete static_cast<Handle*>(handle);
}
int TFE_TensorHandleDataType(void* handle) {
  return static_cast<Handle*>(handle)->tensor.type;
}
int TFE_TensorHandleNumDims(void* handle, void* status) {
  say(status);
  return static_cast<int>(static_cast<Handle*>(handle)->tensor.extents.size());
}
std::int64_t TFE_TensorHandleDim(void* handle, int index, void* status) {
  say(status);
  return static_cast<Handle*>(handle)->tensor.extents.at(static_cast<std::size_t>(index));
}
const char* TFE_TensorHandleDeviceName(void* handle, void* status) {
  say(status);
  return static_cast<Handle*>(handle)->device.c_str();
}
void* TFE_TensorHandleCopyToDevice(void* handle, void*, const char* device, void* status) {
  say(status);
  return new Handle{static_cast<Handle*>(handle)->tensor, device};
}
void* TFE_TensorHandleResolve(void* handle, void* status) {
  say(status);
  return is("no output") ? nullptr : new Tensor(static_cast<Handle*>(handle)->tensor);
}
void* TFE_NewOp(void*, const char* name, void* status) {
  const bool known = std::strcmp(name, "Relu") == 0;
  say(status, known ? 0 : invalid_argument, std::string("there is no operator ") + name);
  return known ? new Operation{name, {}, {}} : nullptr;
}
void TFE_DeleteOp(void* operation) {
  delete static_cast<Operation*>(operation);
}
void TFE_OpSetDevice(void* operation, const char* device, void* status) {
  say(status);
  static_cast<Operation*>(operation)->device = device;
}
void TFE_OpAddInput(void* operation, void* handle, void* status) {
  say(status);
  static_cast<Operation*>(operation)->inputs.push_back(static_cast<Handle*>(handle));
}
void TFE_OpAddInputList(void*, void**, int, void* status) {
  say(status);
}
void TFE_OpSetAttrString(void*, const char*, const void*, std::size_t) {}
void TFE_OpSetAttrInt(void*, const char*, std::int64_t) {}
void TFE_OpSetAttrFloat(void*, const char*, float) {}
void TFE_OpSetAttrBool(void*, const char*, unsigned char) {}
void TFE_OpSetAttrType(void*, const char*, int) {}
void TFE_OpSetAttrIntList(void*, const char*, const std::int64_t*, int) {}
#if !defined(ASSAY_SCRIPTED_WITHOUT_EXECUTE)
void TFE_Execute(void* operation, void** results, int* count, void* status) {
  if (is("aborts while running")) {
    std::fprintf(stderr, "kernel assertion failed\n");
    std::abort();
  }
  if (is("crashes while running")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("leaves by exit")) std::exit(0);
  if (is("hangs while compiling"))
    for (;;) ::sleep(1);
  if (is("fails while running")) return say(status, internal, "kernel launch failed");
  if (is("fails without a message")) return say(status, internal);
  if (is("not implemented")) return say(status, tf::unimplemented, "no kernel for that layout");
  const auto& own = *static_cast<Operation*>(operation);
  const Tensor& x = own.inputs.at(0)->tensor;
  if (x.type != float32) return say(status, 5, "Could not find device for node: Relu");
  auto* const y = new Handle{x, own.device};
  std::vector<float> values(x.bytes.size() / sizeof(float));
  std::memcpy(values.data(), x.bytes.data(), x.bytes.size());
  for (float& value : values) value = value < 0 || is("ignores its input") ? 0 : value;
  if (is("wrong numbers"))
    for (std::size_t i = 0; i < values.size(); i += 7) values[i] *= 1.0001F;
  if (is("one wrong element") && values.size() > 5) values[5] = values[5] > 0 ? 0 : 1;
  std::memcpy(y->tensor.bytes.data(), values.data(), x.bytes.size());
  if (is("another shape")) y->tensor.extents.push_back(1);
  if (is("another type")) y->tensor.type = 3;
  if (is("unknown type")) y->tensor.type = 77;
  if (is("negative extents")) y->tensor.extents.assign(1, -4);
  if (is("falls back to the CPU")) y->device = devices[0];
  *count = is("more outputs") ? 2 : 1;
  results[0] = is("no tensor") ? nullptr : y;
  say(status);
}
#endif

}  // extern "C"
