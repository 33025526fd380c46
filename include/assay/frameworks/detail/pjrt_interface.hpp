#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0::detail::pjrt {

/// What a plugin gives (pjrt_c_api.h): a head, and a table of functions that only grows. `struct_size` tells how far it
/// goes; each function takes one block of arguments, which begins with the caller's size of it.
struct Api {
  std::size_t struct_size;
  void* extensions;
  struct {
    std::size_t struct_size;
    void* extensions;
    int major, minor;
  } version;
  void* functions[1];  ///< as many as fit into `struct_size`
};

/// The major version that these places belong to.
inline constexpr int api_major = 0;

/// Places of functions in the table: the same in all versions.
enum Slot {
  error_destroy = 0,
  error_message = 1,
  error_code = 2,
  plugin_initialize = 3,
  event_destroy = 5,
  event_await = 8,
  client_create = 10,
  client_destroy = 11,
  client_platform_name = 12,
  client_platform_version = 14,
  client_devices = 16,
  client_compile = 20,
  buffer_from_host = 22,
  executable_destroy = 40,
  executable_outputs = 44,
  loaded_destroy = 50,
  loaded_executable = 51,
  loaded_execute = 55,
  buffer_destroy = 58,
  buffer_type = 59,
  buffer_dimensions = 60,
  buffer_to_host = 70
};

/// The head of every block of arguments.
struct Head {
  std::size_t struct_size = 0;
  void* extensions = nullptr;
};

struct Object : Head {  ///< of functions that take one handle and give nothing, or one handle
  void* object = nullptr;
  void* result = nullptr;
};
struct Destroy : Head {
  void* object = nullptr;
};
struct Text : Head {
  void* object = nullptr;
  const char* text = nullptr;
  std::size_t size = 0;
};
struct Code : Head {
  void* error = nullptr;
  int code = 0;
};
struct Create : Head {
  const void* options = nullptr;
  std::size_t option_count = 0;
  void *get_callback = nullptr, *get_argument = nullptr, *put_callback = nullptr, *put_argument = nullptr;
  void* client = nullptr;
  void *try_get_callback = nullptr, *try_get_argument = nullptr;
};
struct Devices : Head {
  void* client = nullptr;
  void* const* devices = nullptr;
  std::size_t count = 0;
};
struct Program : Head {
  char* code = nullptr;
  std::size_t code_size = 0;
  const char* format = nullptr;
  std::size_t format_size = 0;
};
struct Compile : Head {
  void* client = nullptr;
  const Program* program = nullptr;
  const char* options = nullptr;
  std::size_t options_size = 0;
  void* executable = nullptr;
};
struct FromHost : Head {
  void* client = nullptr;
  const void* data = nullptr;
  int type = 0;
  const std::int64_t* dimensions = nullptr;
  std::size_t rank = 0;
  const std::int64_t* byte_strides = nullptr;
  std::size_t byte_stride_count = 0;
  int semantics = 0;  ///< 0: immutable only during the call, so what is given may go at once
  void* device = nullptr;
  void* memory = nullptr;
  void* layout = nullptr;
  void* done = nullptr;
  void* buffer = nullptr;
};
struct ElementType : Head {
  void* buffer = nullptr;
  int type = 0;
};
struct Dimensions : Head {
  void* buffer = nullptr;
  const std::int64_t* dimensions = nullptr;
  std::size_t rank = 0;
};
struct ToHost : Head {
  void* source = nullptr;
  void* layout = nullptr;
  void* destination = nullptr;
  std::size_t size = 0;
  void* event = nullptr;
};
struct Outputs : Head {
  void* executable = nullptr;
  std::size_t count = 0;
};
struct ExecuteOptions : Head {
  void *send_callbacks = nullptr, *receive_callbacks = nullptr;
  std::size_t send_count = 0, receive_count = 0;
  int launch = 0;
  const std::int64_t* not_donated = nullptr;
  std::size_t not_donated_count = 0;
  void* context = nullptr;
  const char* call_location = nullptr;
  std::size_t task_count = 0;
  int* tasks = nullptr;
  std::int64_t* incarnations = nullptr;
};
struct Execute : Head {
  void* executable = nullptr;
  ExecuteOptions* options = nullptr;
  void* const* const* arguments = nullptr;
  std::size_t device_count = 0, argument_count = 0;
  void** const* outputs = nullptr;
  void** events = nullptr;
  void* device = nullptr;
};

/// PJRT_Error_Code, which are those of absl.
inline constexpr int invalid_argument = 3, unimplemented = 12;

/// PJRT_Buffer_Type by the numbers of `TensorType`; 0 of types that are not handed over.
inline constexpr int buffer_types[] = {0, 11, 6, 2, 7, 3, 4, 5, 0, 1, 10, 12, 8, 9, 0, 0, 13, 17, 20, 16, 19};

}  // namespace assay::inline v0::detail::pjrt
