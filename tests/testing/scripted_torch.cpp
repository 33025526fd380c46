// A library with the functions of PyTorch's C interface that Assay calls, whose dispatcher knows aten::relu of float32
// and aten::contiguous. The variable ASSAY_SCRIPTED_TORCH names what is wrong with it; empty or "right": nothing.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

bool is(const char* fault) {
  const char* const asked = std::getenv("ASSAY_SCRIPTED_TORCH");
  return asked != nullptr && std::strcmp(asked, fault) == 0;
}

std::string& last() {
  static std::string message;
  return message;
}
std::int32_t failed(const std::string& message) {
  last() = message;
  return 1;
}

constexpr std::int32_t float32 = 6, cpu = 0, cuda = 1;

struct Tensor {
  std::int32_t type = float32, device = cpu;
  std::vector<std::int64_t> extents;
  void* data = nullptr;
  std::vector<float> own;

  std::size_t size() const {
    std::size_t all = 1;
    for (const std::int64_t extent : extents) all *= static_cast<std::size_t>(extent);
    return all;
  }
};
Tensor* as_tensor(void* handle) {
  return static_cast<Tensor*>(handle);
}
Tensor* copy_of(const Tensor& tensor) {
  auto* const copy = new Tensor(tensor);
  if (!copy->own.empty()) copy->data = copy->own.data();
  return copy;
}

int threads = 2;

std::int32_t compute_relu(std::uint64_t* stack) {
  if (is("aborts while running")) {
    std::fprintf(stderr, "kernel assertion failed\n");
    std::abort();
  }
  if (is("crashes while running")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("leaves by exit")) std::exit(0);
  if (is("hangs while compiling"))
    for (;;) ::sleep(1);
  if (is("fails while running")) return failed("kernel launch failed");
  if (is("fails without a message")) return failed("");
  if (is("not implemented")) return failed("\"relu_cpu\" not implemented for 'Float'");
  Tensor* const x = as_tensor(reinterpret_cast<void*>(stack[0]));
  if (x->type != float32) return failed("\"relu_cpu\" not implemented for that type");
  auto* const y = new Tensor{float32, x->device, x->extents, nullptr, {}};
  const auto* const values = static_cast<const float*>(x->data);
  for (std::size_t i = 0; i < x->size(); ++i) y->own.push_back(values[i] < 0 ? 0 : values[i]);
  if (is("wrong numbers"))
    for (std::size_t i = 0; i < y->own.size(); i += 7) y->own[i] *= 1.0001F;
  if (is("one wrong element") && y->own.size() > 5) y->own[5] = y->own[5] > 0 ? 0 : 1;
  if (is("ignores its input"))
    for (float& value : y->own) value = 0;
  if (is("another shape")) y->extents.push_back(1);
  if (is("another type")) y->type = 3;
  if (is("unknown type")) y->type = 77;
  if (is("another device")) y->device = cuda;
  if (is("negative extents")) y->extents.assign(1, -4);
  y->data = is("null data") ? nullptr : y->own.data();
  delete x;  // the stack owned it
  stack[0] = reinterpret_cast<std::uint64_t>(is("no tensor") ? nullptr : y);
  return 0;
}

}  // namespace

namespace at {
void set_num_threads(int count);
void set_num_threads(int count) {
  if (!is("ignores threads")) threads = count;
}
}  // namespace at

extern "C" {

std::uint64_t aoti_torch_abi_version() {
  return is("older version") ? 0x0209000000000000 : 0x020f010000000000;
}
const char* torch_exception_get_what_without_backtrace() {
  return last().c_str();
}
std::int32_t aoti_torch_device_type_cpu() {
  return cpu;
}
std::int32_t aoti_torch_dtype_float32() {
  return float32;
}
std::int32_t aoti_torch_dtype_int32() {
  return 3;
}
std::int32_t aoti_torch_memory_format_contiguous_format() {
  return 0;
}
void aoti_torch_grad_mode_set_enabled(bool) {}
std::int32_t torch_get_num_threads(std::uint32_t* count) {
  *count = static_cast<std::uint32_t>(threads);
  return 0;
}
std::int32_t aoti_torch_create_tensor_from_blob(void* data, std::int64_t rank, const std::int64_t* extents,
                                                const std::int64_t*, std::int64_t, std::int32_t type,
                                                std::int32_t device, std::int32_t, void** tensor) {
  if (is("takes no tensors")) return failed("out of memory");
  *tensor = new Tensor{type, device, {extents, extents + rank}, data, {}};
  return 0;
}
std::int32_t aoti_torch_delete_tensor_object(void* tensor) {
  delete as_tensor(tensor);
  return 0;
}
std::int32_t aoti_torch_new_tensor_handle(void* tensor, void** copy) {
  *copy = copy_of(*as_tensor(tensor));
  return 0;
}
std::int32_t aoti_torch_get_dim(void* tensor, std::int64_t* rank) {
  *rank = static_cast<std::int64_t>(as_tensor(tensor)->extents.size());
  return 0;
}
std::int32_t aoti_torch_get_sizes(void* tensor, std::int64_t** extents) {
  *extents = as_tensor(tensor)->extents.data();
  return 0;
}
std::int32_t aoti_torch_get_dtype(void* tensor, std::int32_t* type) {
  *type = as_tensor(tensor)->type;
  return 0;
}
std::int32_t aoti_torch_get_device_type(void* tensor, std::int32_t* device) {
  *device = as_tensor(tensor)->device;
  return 0;
}
std::int32_t aoti_torch_get_data_ptr(void* tensor, void** data) {
  *data = is("null data") ? nullptr : as_tensor(tensor)->data;
  return 0;
}
#if defined(ASSAY_SCRIPTED_WITHOUT_DISPATCHER)
#define torch_call_dispatcher another_call_dispatcher
#endif
std::int32_t torch_call_dispatcher(const char* name, const char*, std::uint64_t* stack, std::uint64_t) {
  if (std::strcmp(name, "aten::relu") == 0) return compute_relu(stack);
  if (std::strcmp(name, "aten::contiguous") == 0) return 0;  // it is
  return failed(std::string("Could not find schema for ") + name);
}

}  // extern "C"
