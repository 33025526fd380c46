#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "assay/adapters/detail/blas_gemm.hpp"

namespace assay::inline v0::detail {

/// α or β in cuBLASLt's scalar type, which is chosen at run time.
struct CublasLtScalar {
  alignas(8) unsigned char bytes[8] = {};

  template <class T>
  [[nodiscard]] static CublasLtScalar of(T value) {
    static_assert(sizeof(T) <= sizeof(bytes));
    CublasLtScalar scalar;
    std::memcpy(scalar.bytes, &value, sizeof value);
    return scalar;
  }
};

/// Factors of an operand, on the device.
struct CublasLtScale {
  const void* factors = nullptr;  ///< null: none
  cublasLtMatmulMatrixScale_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
};

/// What cuBLASLt is asked for: D = epilogue(α·op(A)·op(B) + β·C + bias), column-major, as plain data.
struct CublasLtProduct {
  BlasGemm gemm;                ///< its c is D
  const void* added = nullptr;  ///< C, which β multiplies; null: D itself
  Index added_leading_dimension = 0;
  cudaDataType_t type_a = CUDA_R_32F, type_b = CUDA_R_32F, type_c = CUDA_R_32F, type_d = CUDA_R_32F,
                 scalar_type = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  CublasLtScalar alpha, beta;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  cudaDataType_t bias_type = CUDA_R_32F;
  CublasLtScale scale_a, scale_b;
};

[[nodiscard]] inline bool is_eight_bit_float_type(cudaDataType_t type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

[[nodiscard]] inline Index bytes_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    default: return 1;
  }
}

/// The largest power of two up to 256 that divides an address.
[[nodiscard]] inline std::uint32_t alignment_of(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer) | 256;
  return static_cast<std::uint32_t>(address & (~address + 1));
}

/// Why a product cannot be asked of cuBLASLt on a device of that architecture (90 for sm_90), or nothing. Sources:
/// cuBLAS documentation, cublasLtMatmul ("To use FP8 kernels", "To use IMMA kernels") and "Tensor Core Usage".
[[nodiscard]] inline std::string cublaslt_refusal(const CublasLtProduct& product, int architecture) {
  const BlasGemm& gemm = product.gemm;
  if (gemm.is_empty() || gemm.k == 0)
    return "cuBLASLt has no layouts of matrices without elements (m, n, k, batch of its column-major call: " +
           std::to_string(gemm.m) + ", " + std::to_string(gemm.n) + ", " + std::to_string(gemm.k) + ", " +
           std::to_string(gemm.batch) + ")";
  if (gemm.batch > INT32_MAX)
    return "cuBLASLt counts the matrices of a batch in 32 bits; there are " + std::to_string(gemm.batch);
  const bool floats = is_eight_bit_float_type(product.type_a), integers = product.type_a == CUDA_R_8I;
  if (!floats && !integers) return "";
  const std::string kind = floats ? "8-bit floats" : "8-bit integers";
  if (floats && architecture < 89)
    return "8-bit floats need compute capability 8.9 or above; the device has " + std::to_string(architecture / 10) +
           "." + std::to_string(architecture % 10);
  if (floats && product.type_a == CUDA_R_8F_E5M2 && product.type_b == CUDA_R_8F_E5M2)
    return "cuBLASLt has no products of f8e5m2 with f8e5m2";
  for (const CublasLtScale& scale : {product.scale_a, product.scale_b}) {
    if (scale.factors != nullptr && scale.mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 && architecture < 100)
      return "cuBLASLt scales by blocks from compute capability 10.0 on; the device has " +
             std::to_string(architecture / 10) + "." + std::to_string(architecture % 10);
    if (scale.factors != nullptr && scale.mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F && architecture < 90)
      return "cuBLASLt scales by rows and columns from compute capability 9.0 on; the device has " +
             std::to_string(architecture / 10) + "." + std::to_string(architecture % 10);
  }
  const bool any_order = floats && architecture >= 100 && architecture < 120;
  if (!any_order && !(gemm.transpose_a && !gemm.transpose_b))
    return "cuBLASLt multiplies " + kind + " where both operands have k contiguous: " +
           (gemm.exchanged ? "in a row-major product B must be stored n×k (transpose_b) and A m×k"
                           : "in a column-major product A must be stored k×m (transpose_a) and B k×n");
  const Index bytes = floats ? 16 : 4;
  const auto misfit = [&](const char* what, Index value, Index size) {
    return value * size % bytes == 0 ? std::string()
                                     : "cuBLASLt multiplies " + kind + " where " + what + " is a multiple of " +
                                           std::to_string(bytes) + " bytes; it is " + std::to_string(value * size);
  };
  const Index a = bytes_of(product.type_a), b = bytes_of(product.type_b), d = bytes_of(product.type_d);
  struct Rule {
    const char* what;
    Index value, size;
  };
  // what is contiguous of each matrix, and from where to where
  const Rule rules[] = {
      {gemm.transpose_a ? "k"
       : gemm.exchanged ? "n"
                        : "m",
       gemm.rows_a(), a},
      {gemm.transpose_b ? (gemm.exchanged ? "m" : "n") : "k", gemm.rows_b(), b},
      {gemm.exchanged ? "a row of the output" : "a column of the output", gemm.m, floats ? d : Index{1}},
      {gemm.exchanged ? "the leading dimension of B" : "the leading dimension of A", gemm.lda, a},
      {gemm.exchanged ? "the leading dimension of A" : "the leading dimension of B", gemm.ldb, b},
      {"the leading dimension of C", gemm.ldc, floats ? d : Index{1}},
      {"the address of one operand", static_cast<Index>(alignment_of(gemm.a)), 1},
      {"the address of the other operand", static_cast<Index>(alignment_of(gemm.b)), 1},
      {"the address of the output", static_cast<Index>(alignment_of(gemm.c)), 1},
      {"the distance between matrices of the batch", gemm.batch > 1 ? gemm.stride_a : 0, a},
      {"the distance between matrices of the batch", gemm.batch > 1 ? gemm.stride_b : 0, b},
      {"the distance between matrices of the batch", gemm.batch > 1 ? gemm.stride_c : 0, d}};
  for (const Rule& rule : rules)
    if (std::string reason = misfit(rule.what, rule.value, rule.size); !reason.empty()) return reason;
  return "";
}

}  // namespace assay::inline v0::detail
