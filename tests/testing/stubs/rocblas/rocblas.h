#pragma once

/// What Assay uses of rocBLAS, with the names, types and values of its published interface: for machines that do not
/// have it. Products are noted, not computed.
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

using rocblas_int = std::int32_t;
using rocblas_stride = std::int64_t;
struct _rocblas_handle;
using rocblas_handle = _rocblas_handle*;

enum rocblas_operation { rocblas_operation_none = 111, rocblas_operation_transpose = 112 };
enum rocblas_datatype {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_f64_r = 152,
  rocblas_datatype_bf16_r = 168
};
enum rocblas_status {
  rocblas_status_success = 0,
  rocblas_status_invalid_handle = 1,
  rocblas_status_not_implemented = 2,
  rocblas_status_invalid_pointer = 3,
  rocblas_status_invalid_size = 4,
  rocblas_status_memory_error = 5,
  rocblas_status_internal_error = 6,
  rocblas_status_invalid_value = 11
};
enum rocblas_gemm_algo { rocblas_gemm_algo_standard = 0 };
enum rocblas_gemm_flags { rocblas_gemm_flags_none = 0 };

inline const char* rocblas_status_to_string(rocblas_status status) {
  return status == rocblas_status_not_implemented ? "rocblas_status_not_implemented" : "rocblas_status_of_the_stub";
}
inline rocblas_status rocblas_create_handle(rocblas_handle*) {
  return rocblas_status_success;
}
inline rocblas_status rocblas_destroy_handle(rocblas_handle) {
  return rocblas_status_success;
}
inline rocblas_status rocblas_set_stream(rocblas_handle, hipStream_t) {
  return rocblas_status_success;
}
inline rocblas_status rocblas_set_workspace(rocblas_handle, void*, std::size_t) {
  return rocblas_status_success;
}
inline rocblas_status rocblas_get_version_string_size(std::size_t* length) {
  return *length = 5, rocblas_status_success;
}
inline rocblas_status rocblas_get_version_string(char* text, std::size_t length) {
  return std::memcpy(text, "stub", length), rocblas_status_success;
}

/// The last product that was asked for.
struct rocblas_stub_gemm {
  rocblas_operation trans_a, trans_b;
  rocblas_int m, n, k, lda, ldb, ldc, ldd, batch_count;
  rocblas_stride stride_a, stride_b, stride_c, stride_d;
  const void *alpha, *a, *b, *beta, *c;
  void* d;
  rocblas_datatype a_type, b_type, c_type, d_type, compute_type;
};
inline rocblas_stub_gemm& rocblas_stub_last() {
  static rocblas_stub_gemm last;
  return last;
}
inline rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle, rocblas_operation trans_a, rocblas_operation trans_b, rocblas_int m, rocblas_int n, rocblas_int k,
    const void* alpha, const void* a, rocblas_datatype a_type, rocblas_int lda, rocblas_stride stride_a, const void* b,
    rocblas_datatype b_type, rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c,
    rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d, rocblas_datatype d_type,
    rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count, rocblas_datatype compute_type, rocblas_gemm_algo,
    std::int32_t, std::uint32_t) {
  rocblas_stub_last() = {trans_a,     trans_b,  m,        n,        k,        lda,    ldb,         ldc, ldd,
                         batch_count, stride_a, stride_b, stride_c, stride_d, alpha,  a,           b,   beta,
                         c,           d,        a_type,   b_type,   c_type,   d_type, compute_type};
  return rocblas_status_success;
}
