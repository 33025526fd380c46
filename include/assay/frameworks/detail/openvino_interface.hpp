#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0::detail::ov {

/// What OpenVINO's C functions take and give (openvino/c/*.h of 2025 and later).
struct Version {
  const char* build = nullptr;
  const char* description = nullptr;
};
struct Devices {
  char** names = nullptr;
  std::size_t count = 0;
};
/// Handed over by value.
struct Shape {
  std::int64_t rank = 0;
  std::int64_t* extents = nullptr;
};
struct Profile {
  int status = 0;  ///< of `not_run`, `optimized_out` and `executed`
  std::int64_t microseconds = 0, processor_microseconds = 0;
  const char* node = nullptr;
  const char* execution = nullptr;
  const char* operation = nullptr;
};
struct Profiles {
  Profile* all = nullptr;
  std::size_t count = 0;
};

inline constexpr int executed = 2;
/// ov_status_e: both say that something was never written.
inline constexpr int not_implemented = -2, no_such_function = -16;
/// What is wrong with an argument; it leaves no message of its own. Shapes of scalars are refused so.
inline constexpr int invalid_argument = -14;

/// Names of functions. Where a row of these is missing the library is another or an older one.
inline constexpr const char* version = "ov_get_openvino_version";
inline constexpr const char* free_version = "ov_version_free";
inline constexpr const char* error_info = "ov_get_error_info";
inline constexpr const char* last_error = "ov_get_last_err_msg";
inline constexpr const char* free_text = "ov_free";
inline constexpr const char* create_core = "ov_core_create";
inline constexpr const char* devices = "ov_core_get_available_devices";
inline constexpr const char* free_devices = "ov_available_devices_free";
inline constexpr const char* read_model = "ov_core_read_model_from_memory_buffer";
inline constexpr const char* compile_model = "ov_core_compile_model";
inline constexpr const char* free_model = "ov_model_free";
inline constexpr const char* free_compiled = "ov_compiled_model_free";
inline constexpr const char* property = "ov_compiled_model_get_property";
inline constexpr const char* input_port = "ov_compiled_model_input_by_name";
inline constexpr const char* free_port = "ov_output_const_port_free";
inline constexpr const char* create_request = "ov_compiled_model_create_infer_request";
inline constexpr const char* free_request = "ov_infer_request_free";
inline constexpr const char* set_tensor = "ov_infer_request_set_tensor";
inline constexpr const char* get_tensor = "ov_infer_request_get_tensor";
inline constexpr const char* infer = "ov_infer_request_infer";
inline constexpr const char* profile = "ov_infer_request_get_profiling_info";
inline constexpr const char* free_profile = "ov_profiling_info_list_free";
inline constexpr const char* create_tensor = "ov_tensor_create";
inline constexpr const char* wrap_tensor = "ov_tensor_create_from_host_ptr";
inline constexpr const char* tensor_shape = "ov_tensor_get_shape";
inline constexpr const char* free_shape = "ov_shape_free";
inline constexpr const char* tensor_type = "ov_tensor_get_element_type";
inline constexpr const char* tensor_bytes = "ov_tensor_get_byte_size";
inline constexpr const char* tensor_data = "ov_tensor_data";
inline constexpr const char* free_tensor = "ov_tensor_free";

/// ov_element_type_e by ONNX's numbers of element types; −1 where it has none.
inline constexpr int element_types[] = {-1, 4,  16, 7,  17, 8,  9,  10, -1, 1,  3,  5,  18, 19,
                                        -1, -1, 2,  21, -1, 22, -1, 14, 6,  24, 25, 12, -1};
inline constexpr int element_type_count = static_cast<int>(sizeof element_types / sizeof *element_types);

[[nodiscard]] constexpr int to_openvino(int onnx) {
  return onnx < 0 || onnx >= element_type_count ? -1 : element_types[onnx];
}
/// −1 where ONNX has none.
[[nodiscard]] constexpr int from_openvino(int type) {
  for (int onnx = 1; type >= 0 && onnx < element_type_count; ++onnx)
    if (element_types[onnx] == type) return onnx;
  return -1;
}

}  // namespace assay::inline v0::detail::ov
