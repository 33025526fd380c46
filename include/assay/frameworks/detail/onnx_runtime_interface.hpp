#pragma once

#include <cstdint>

namespace assay::inline v0::detail::ort {

/// What ONNX Runtime's C API gives to begin with (onnxruntime_c_api.h).
struct ApiBase {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*get_version)();
};

inline constexpr std::uint32_t oldest_api = 11, newest_api = 23;
/// The first version with libraries of providers.
inline constexpr std::uint32_t provider_libraries_api = 22;

/// Places of functions in the table, which only grows: the same in all versions.
enum Slot {
  get_error_code = 1,
  get_error_message = 2,
  create_environment = 3,
  create_session_options = 10,
  run = 9,
  create_session_from_array = 8,
  enable_profiling = 14,
  set_log_severity = 22,
  set_optimization_level = 23,
  set_intra_op_threads = 24,
  input_count = 30,
  output_count = 31,
  input_name = 36,
  output_name = 37,
  create_tensor = 49,
  tensor_data = 51,
  element_type = 60,
  dimension_count = 61,
  dimensions = 62,
  type_and_shape = 65,
  create_memory_info = 69,
  allocator_free = 76,
  default_allocator = 78,
  release_environment = 92,
  release_status = 93,
  release_memory_info = 94,
  release_session = 95,
  release_value = 96,
  release_type_and_shape = 99,
  release_session_options = 100,
  end_profiling = 110,
  available_providers = 125,
  release_available_providers = 126,
  add_config_entry = 130,
  append_provider = 216,
  register_provider_library = 301,
  provider_devices = 303,
  append_provider_devices = 304,
  device_provider_name = 312
};

/// OrtErrorCode.
inline constexpr int not_implemented = 9;

/// Its numbers of element types are ONNX's up to 23, then others.
[[nodiscard]] constexpr int to_ort(int onnx) {
  return onnx == 24 ? 26 : onnx == 25 ? 24 : onnx == 26 ? 25 : onnx;
}
[[nodiscard]] constexpr int from_ort(int ort) {
  return ort == 26 ? 24 : ort == 24 ? 25 : ort == 25 ? 26 : ort;
}

}  // namespace assay::inline v0::detail::ort
