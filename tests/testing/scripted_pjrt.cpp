// A plugin with the functions of PJRT's table that Assay calls, which computes the maximum with 0 of float32 tensors,
// whatever the module says. The variable ASSAY_SCRIPTED_PJRT names what is wrong with it; empty or "right": nothing.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "assay/frameworks/detail/pjrt_interface.hpp"

namespace {

namespace pjrt = assay::detail::pjrt;

bool is(const char* fault) {
  const char* const asked = std::getenv("ASSAY_SCRIPTED_PJRT");
  return asked != nullptr && std::strcmp(asked, fault) == 0;
}

struct Error {
  int code;
  std::string message;
};
struct Buffer {
  int type = 11;
  std::vector<std::int64_t> extents;
  std::vector<float> values;
};
struct Event {};

void* failed(int code, const char* message) {
  return new Error{code, message};
}
/// A block of arguments that is shorter than it must be is refused, as real plugins do.
template <class Arguments>
void* checked(const Arguments* arguments) {
  return arguments->struct_size < sizeof(Arguments) ? failed(3, "unexpected size of a block of arguments") : nullptr;
}

void* error_message(pjrt::Text* arguments) {
  const auto* const error = static_cast<const Error*>(arguments->object);
  arguments->text = error->message.data();
  arguments->size = error->message.size();
  return nullptr;
}
void* error_code(pjrt::Code* arguments) {
  arguments->code = static_cast<const Error*>(arguments->error)->code;
  return nullptr;
}
template <class T>
void* destroy(pjrt::Destroy* arguments) {
  delete static_cast<T*>(arguments->object);
  return nullptr;
}
void* nothing(pjrt::Head*) {
  return nullptr;
}
void* await(pjrt::Destroy*) {
  return is("fails while running") ? failed(13, "kernel launch failed") : nullptr;
}
void* create(pjrt::Create* arguments) {
  if (void* error = checked(arguments)) return error;
  if (is("no client")) return nullptr;
  if (is("no device here")) return failed(12, "no such device is installed");
  arguments->client = new Event;
  return nullptr;
}
void* platform(pjrt::Text* arguments) {
  arguments->text = "scripted";
  arguments->size = 8;
  return nullptr;
}
void* version(pjrt::Text* arguments) {
  arguments->text = "version 0.0";
  arguments->size = 11;
  return nullptr;
}
void* devices(pjrt::Devices* arguments) {
  static Event device;
  static void* const all[] = {&device};
  arguments->devices = all;
  arguments->count = is("no devices") ? 0 : 1;
  return nullptr;
}
void* compile(pjrt::Compile* arguments) {
  if (void* error = checked(arguments)) return error;
  const std::string module(arguments->program->code, arguments->program->code_size),
      options(arguments->options, arguments->options_size);
  if (is("aborts while compiling")) {
    std::fprintf(stderr, "compiler assertion 1 < 0 failed\n");
    std::abort();
  }
  if (is("hangs while compiling"))
    for (;;) ::sleep(1);
  if (is("no executable")) return nullptr;
  if (options.empty()) std::abort();  // as XLA does
  if (options.find("xla_no_such_flag") != std::string::npos) return failed(3, "unknown flag xla_no_such_flag");
  if (module.find("stablehlo.maximum") == std::string::npos) return failed(12, "only maxima are implemented");
  if (is("cannot parse")) return failed(3, "failed to parse the module");
  arguments->executable = new Event;
  return nullptr;
}
void* executable(pjrt::Object* arguments) {
  arguments->result = new Event;
  return nullptr;
}
void* outputs(pjrt::Outputs* arguments) {
  arguments->count = is("two outputs") ? 2 : is("very many outputs") ? std::size_t{1} << 40 : 1;
  return nullptr;
}
void* from_host(pjrt::FromHost* arguments) {
  if (void* error = checked(arguments)) return error;
  if (arguments->type != 11) return failed(12, "float32 only");
  auto* const buffer = new Buffer{11, {arguments->dimensions, arguments->dimensions + arguments->rank}, {}};
  std::size_t size = 1;
  for (const std::int64_t extent : buffer->extents) size *= static_cast<std::size_t>(extent);
  const auto* const data = static_cast<const float*>(arguments->data);
  buffer->values.assign(data, data + size);
  arguments->buffer = buffer;
  arguments->done = new Event;
  return nullptr;
}
void* execute(pjrt::Execute* arguments) {
  if (void* error = checked(arguments)) return error;
  if (is("aborts while running")) std::abort();
  if (is("crashes while running")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("leaves by exit")) std::exit(0);
  if (is("runs out of memory")) return failed(8, "out of memory");
  if (is("fails without a message")) return failed(2, "");
  if (is("no output")) return nullptr;
  if (arguments->argument_count != 1) return failed(3, "one input only");
  auto* const result = new Buffer(*static_cast<const Buffer*>(arguments->arguments[0][0]));
  for (float& value : result->values) value = value < 0 ? 0 : value;
  if (is("wrong numbers"))
    for (std::size_t i = 0; i < result->values.size(); i += 7) result->values[i] *= 1.0001F;
  if (is("one wrong element") && result->values.size() > 5) result->values[5] = result->values[5] > 0 ? 0 : 1;
  if (is("ignores its input")) std::fill(result->values.begin(), result->values.end(), 0.0F);
  if (is("another shape")) result->extents.push_back(1);
  if (is("another type")) result->type = 4;
  if (is("unknown type")) result->type = 77;
  if (is("many dimensions")) result->extents.assign(1000, 1);
  if (is("negative extents")) result->extents.assign(1, -4);
  arguments->outputs[0][0] = result;
  if (arguments->events != nullptr) arguments->events[0] = new Event;
  return nullptr;
}
void* type_of(pjrt::ElementType* arguments) {
  arguments->type = static_cast<const Buffer*>(arguments->buffer)->type;
  return nullptr;
}
void* extents_of(pjrt::Dimensions* arguments) {
  const auto* const buffer = static_cast<const Buffer*>(arguments->buffer);
  arguments->dimensions = buffer->extents.data();
  arguments->rank = buffer->extents.size();
  return nullptr;
}
void* to_host(pjrt::ToHost* arguments) {
  if (void* error = checked(arguments)) return error;
  const auto* const buffer = static_cast<const Buffer*>(arguments->source);
  const std::size_t size = buffer->values.size() * sizeof(float) + (is("longer data") ? 8 : 0);
  if (arguments->destination == nullptr) {
    arguments->size = size;
    return nullptr;
  }
  if (arguments->size < size) return failed(3, "too little space");
  std::memcpy(arguments->destination, buffer->values.data(), size);
  arguments->event = new Event;
  return nullptr;
}

struct Table {
  pjrt::Api head{};
  void* functions[128] = {};
};

template <class Function>
void put(pjrt::Api* api, int slot, Function* function) {
  // The table goes on behind its first entry.
  char* const at =
      reinterpret_cast<char*>(api) + offsetof(pjrt::Api, functions) + sizeof(void*) * static_cast<std::size_t>(slot);
  auto* const pointer = reinterpret_cast<void*>(function);
  std::memcpy(at, &pointer, sizeof pointer);
}

}  // namespace

extern "C" const pjrt::Api* GetPjrtApi() {
  static Table table;
  pjrt::Api* const api = &table.head;
  if (is("no table")) return nullptr;
  api->struct_size = is("table of another size") ? offsetof(pjrt::Api, functions) + 16 * sizeof(void*)
                                                 : offsetof(pjrt::Api, functions) + 120 * sizeof(void*);
  api->version.major = is("another major version") ? 1 : 0;
  api->version.minor = 81;
  put(api, pjrt::error_destroy, &destroy<Error>);
  put(api, pjrt::error_message, &error_message);
  put(api, pjrt::error_code, &error_code);
  put(api, pjrt::plugin_initialize, &nothing);
  put(api, pjrt::event_destroy, &destroy<Event>);
  put(api, pjrt::event_await, &await);
  put(api, pjrt::client_create, &create);
  put(api, pjrt::client_destroy, &destroy<Event>);
  put(api, pjrt::client_platform_name, &platform);
  put(api, pjrt::client_platform_version, &version);
  put(api, pjrt::client_devices, &devices);
  put(api, pjrt::client_compile, &compile);
  put(api, pjrt::buffer_from_host, &from_host);
  put(api, pjrt::executable_destroy, &destroy<Event>);
  put(api, pjrt::executable_outputs, &outputs);
  put(api, pjrt::loaded_destroy, &destroy<Event>);
  put(api, pjrt::loaded_executable, &executable);
  put(api, pjrt::loaded_execute, &execute);
  put(api, pjrt::buffer_destroy, &destroy<Buffer>);
  put(api, pjrt::buffer_type, &type_of);
  put(api, pjrt::buffer_dimensions, &extents_of);
  put(api, pjrt::buffer_to_host, &to_host);
  if (is("missing functions")) put(api, pjrt::client_compile, static_cast<void (*)()>(nullptr));
  return api;
}
