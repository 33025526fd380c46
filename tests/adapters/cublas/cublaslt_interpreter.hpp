#pragma once

#include <cstdint>

#include "adapters/blas_interpreter.hpp"
#include "assay/adapters/cublas/detail/cublaslt_plan.hpp"

namespace assay::testing {

/// What stands in a descriptor of cuBLASLt, asked of the library.
template <class T>
[[nodiscard]] T read(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute) {
  T value{};
  std::size_t written = 0;
  if (cublasLtMatrixLayoutGetAttribute(layout, attribute, &value, sizeof value, &written) != CUBLAS_STATUS_SUCCESS)
    misuse("an attribute of a layout could not be read");
  return value;
}
template <class T>
[[nodiscard]] T read(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute) {
  T value{};
  std::size_t written = 0;
  if (cublasLtMatmulDescGetAttribute(operation, attribute, &value, sizeof value, &written) != CUBLAS_STATUS_SUCCESS)
    misuse("an attribute of an operation could not be read");
  return value;
}

/// The product that a plan's descriptors tell of: nothing is taken from what they were made of but the addresses.
[[nodiscard]] inline detail::BlasGemm described(const detail::CublasLtPlan& plan) {
  const auto number = [](cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute) {
    return static_cast<Index>(read<std::int64_t>(layout, attribute));
  };
  detail::BlasGemm gemm;
  gemm.a = plan.product().gemm.a;
  gemm.b = plan.product().gemm.b;
  gemm.c = plan.product().gemm.c;
  gemm.transpose_a = read<std::int32_t>(plan.operation(), CUBLASLT_MATMUL_DESC_TRANSA) == CUBLAS_OP_T;
  gemm.transpose_b = read<std::int32_t>(plan.operation(), CUBLASLT_MATMUL_DESC_TRANSB) == CUBLAS_OP_T;
  gemm.m = number(plan.d(), CUBLASLT_MATRIX_LAYOUT_ROWS);
  gemm.n = number(plan.d(), CUBLASLT_MATRIX_LAYOUT_COLS);
  gemm.k = number(plan.a(), gemm.transpose_a ? CUBLASLT_MATRIX_LAYOUT_ROWS : CUBLASLT_MATRIX_LAYOUT_COLS);
  gemm.lda = number(plan.a(), CUBLASLT_MATRIX_LAYOUT_LD);
  gemm.ldb = number(plan.b(), CUBLASLT_MATRIX_LAYOUT_LD);
  gemm.ldc = number(plan.d(), CUBLASLT_MATRIX_LAYOUT_LD);
  gemm.batch = read<std::int32_t>(plan.d(), CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
  gemm.stride_a = number(plan.a(), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  gemm.stride_b = number(plan.b(), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  gemm.stride_c = number(plan.d(), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  return gemm;
}

}  // namespace assay::testing
