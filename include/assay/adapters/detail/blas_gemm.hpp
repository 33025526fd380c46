#pragma once

#include <utility>

#include "assay/kernels/gemm/problem.hpp"

namespace assay::inline v0::detail {

/// A product as BLAS takes it, every matrix column-major: C = α·op(A)·op(B) + β·C. A row-major product is told as the
/// column-major Cᵀ = op(B)ᵀ·op(A)ᵀ, which is the same memory: A and B, m and n change places, transpositions stay with
/// their operands.
struct BlasGemm {
  const void *a = nullptr, *b = nullptr;
  void* c = nullptr;
  bool transpose_a = false, transpose_b = false;
  bool exchanged = false;  ///< a is the problem's B
  Index m = 0, n = 0, k = 0, batch = 1;
  Index lda = 1, ldb = 1, ldc = 1;
  Index stride_a = 0, stride_b = 0, stride_c = 0;  ///< from matrix to matrix, in elements

  /// Of A and B as they are stored.
  [[nodiscard]] Index rows_a() const { return transpose_a ? k : m; }
  [[nodiscard]] Index columns_a() const { return transpose_a ? m : k; }
  [[nodiscard]] Index rows_b() const { return transpose_b ? n : k; }
  [[nodiscard]] Index columns_b() const { return transpose_b ? k : n; }
  [[nodiscard]] bool is_empty() const { return m == 0 || n == 0 || batch == 0; }
};

/// `problem` in BLAS's terms. Fails as `lay_out` does.
[[nodiscard]] Result<BlasGemm> blas_gemm(const GemmProblem& problem, const void* a, const void* b, void* c);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/adapters/detail/blas_gemm.ipp"
#endif
