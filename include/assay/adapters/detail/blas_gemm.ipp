#pragma once

#include "assay/adapters/detail/blas_gemm.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<BlasGemm> blas_gemm(const GemmProblem& problem, const void* a, const void* b,
                                                      void* c) {
  const auto laid_out = lay_out(problem);
  if (!laid_out) return laid_out.propagate();
  const GemmLayout& layout = laid_out.value();
  BlasGemm gemm;
  gemm.a = a;
  gemm.b = b;
  gemm.c = c;
  gemm.transpose_a = problem.transpose_a;
  gemm.transpose_b = problem.transpose_b;
  gemm.m = problem.m;
  gemm.n = problem.n;
  gemm.k = problem.k;
  gemm.batch = problem.batch;
  gemm.lda = layout.a.leading_dimension;
  gemm.ldb = layout.b.leading_dimension;
  gemm.ldc = layout.c.leading_dimension;
  gemm.stride_a = layout.a.batch_stride;
  gemm.stride_b = layout.b.batch_stride;
  gemm.stride_c = layout.c.batch_stride;
  if (problem.order == StorageOrder::row_major) {
    gemm.exchanged = true;
    std::swap(gemm.a, gemm.b);
    std::swap(gemm.transpose_a, gemm.transpose_b);
    std::swap(gemm.m, gemm.n);
    std::swap(gemm.lda, gemm.ldb);
    std::swap(gemm.stride_a, gemm.stride_b);
  }
  return gemm;
}

}  // namespace assay::inline v0::detail
