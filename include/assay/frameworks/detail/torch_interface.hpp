#pragma once

#include <cstdint>

#include "assay/frameworks/graph/tensor_type.hpp"

namespace assay::inline v0::detail::torch {

/// Names of functions of PyTorch's C interface, which is kept from version to version (torch/csrc/stable/c/shim.h and
/// torch/csrc/inductor/aoti_torch/c/shim.h of 2.10 and later). All but those that tell a number return 0 on success.
inline constexpr const char* abi_version = "aoti_torch_abi_version";
inline constexpr const char* call_dispatcher = "torch_call_dispatcher";
inline constexpr const char* what = "torch_exception_get_what_without_backtrace";
inline constexpr const char* create_tensor = "aoti_torch_create_tensor_from_blob";
inline constexpr const char* delete_tensor = "aoti_torch_delete_tensor_object";
inline constexpr const char* copy_handle = "aoti_torch_new_tensor_handle";
inline constexpr const char* empty_tensor = "aoti_torch_empty_strided";
inline constexpr const char* rank_of = "aoti_torch_get_dim";
inline constexpr const char* extents_of = "aoti_torch_get_sizes";
inline constexpr const char* type_of = "aoti_torch_get_dtype";
inline constexpr const char* device_of = "aoti_torch_get_device_type";
inline constexpr const char* data_of = "aoti_torch_get_data_ptr";
inline constexpr const char* gradients = "aoti_torch_grad_mode_set_enabled";
inline constexpr const char* new_list = "torch_new_list_reserve_size";
inline constexpr const char* append = "torch_list_push_back";
inline constexpr const char* new_text = "torch_new_string_handle";
inline constexpr const char* new_optional = "torch_new_stable_ivalue";
inline constexpr const char* contiguous = "aoti_torch_memory_format_contiguous_format";
inline constexpr const char* threads = "torch_get_num_threads";
/// at::set_num_threads(int), for which the C interface has no name.
inline constexpr const char* set_threads = "_ZN2at15set_num_threadsEi";

/// The oldest version that has lists and texts on the dispatcher's stack, as the interface counts.
inline constexpr std::uint64_t oldest_version = 0x020a000000000000;

/// The endings of aoti_torch_dtype_…, which tell the types' numbers.
struct TypeName {
  TensorType type;
  const char* name;
};
inline constexpr TypeName type_names[] = {{TensorType::float32, "float32"},
                                          {TensorType::uint8, "uint8"},
                                          {TensorType::int8, "int8"},
                                          {TensorType::uint16, "uint16"},
                                          {TensorType::int16, "int16"},
                                          {TensorType::int32, "int32"},
                                          {TensorType::int64, "int64"},
                                          {TensorType::boolean, "bool"},
                                          {TensorType::float16, "float16"},
                                          {TensorType::float64, "float64"},
                                          {TensorType::uint32, "uint32"},
                                          {TensorType::uint64, "uint64"},
                                          {TensorType::bfloat16, "bfloat16"},
                                          {TensorType::float8e4m3fn, "float8_e4m3fn"},
                                          {TensorType::float8e4m3fnuz, "float8_e4m3fnuz"},
                                          {TensorType::float8e5m2, "float8_e5m2"},
                                          {TensorType::float8e5m2fnuz, "float8_e5m2fnuz"}};

}  // namespace assay::inline v0::detail::torch
