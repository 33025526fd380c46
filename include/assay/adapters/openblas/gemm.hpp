#pragma once

#include <limits>
#include <string>

#include "assay/adapters/detail/gemm_scalar.hpp"
#include "assay/adapters/openblas/openblas.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/kernel.hpp"

#if defined(__ELF__)
// The header declares it in every build; only a library built with BUILD_BFLOAT16 defines it.
#pragma weak cblas_sbgemm
#endif

namespace assay::inline v0 {

namespace detail {

struct OpenBlasShape {
  CBLAS_ORDER order;
  CBLAS_TRANSPOSE transpose_a, transpose_b;
  blasint m, n, k, lda, ldb, ldc;
};

[[nodiscard]] inline Result<OpenBlasShape> openblas_shape(const GemmProblem& problem, const GemmLayout& layout) {
  constexpr Index largest = std::numeric_limits<blasint>::max();
  const auto fits = [](Index value) { return value <= largest; };
  if (!fits(problem.m) || !fits(problem.n) || !fits(problem.k) || !fits(layout.a.leading_dimension) ||
      !fits(layout.b.leading_dimension) || !fits(layout.c.leading_dimension))
    return failure(ErrorKind::unsupported,
                   "this OpenBLAS counts in " + std::to_string(8 * sizeof(blasint)) + "-bit integers; m " +
                       std::to_string(problem.m) + ", n " + std::to_string(problem.n) + ", k " +
                       std::to_string(problem.k) + " and the leading dimensions " +
                       std::to_string(layout.a.leading_dimension) + ", " + std::to_string(layout.b.leading_dimension) +
                       ", " + std::to_string(layout.c.leading_dimension) + " must be at most " +
                       std::to_string(largest));
  const auto as_blasint = [](Index value) { return static_cast<blasint>(value); };
  return OpenBlasShape{problem.order == StorageOrder::row_major ? CblasRowMajor : CblasColMajor,
                       problem.transpose_a ? CblasTrans : CblasNoTrans,
                       problem.transpose_b ? CblasTrans : CblasNoTrans,
                       as_blasint(problem.m),
                       as_blasint(problem.n),
                       as_blasint(problem.k),
                       as_blasint(layout.a.leading_dimension),
                       as_blasint(layout.b.leading_dimension),
                       as_blasint(layout.c.leading_dimension)};
}

/// One call of `multiply(shape, alpha, a, b, beta, c)` a matrix of the batch.
template <Format Scalar, Format Input, Format Output, class Multiply>
[[nodiscard]] Result<void> openblas_gemm(const GemmProblem& problem,
                                         const GemmArguments<Input, Input, Output>& arguments, Multiply multiply) {
  const auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  const auto shape = openblas_shape(problem, layout.value());
  if (!shape) return shape.propagate();
  const auto alpha = gemm_scalar<Scalar>("OpenBLAS", "alpha", problem.alpha);
  if (!alpha) return alpha.propagate();
  const auto beta = gemm_scalar<Scalar>("OpenBLAS", "beta", problem.beta);
  if (!beta) return beta.propagate();
  const auto at = [](auto* data, const GemmOperandLayout& operand, Index batch) {
    return operand.elements == 0 ? data : data + batch * operand.batch_stride;
  };
  for (Index batch = 0; batch < problem.batch; ++batch)
    multiply(shape.value(), alpha.value(), at(arguments.a.data, layout.value().a, batch),
             at(arguments.b.data, layout.value().b, batch), beta.value(),
             at(arguments.c.data, layout.value().c, batch));
  return {};
}

}  // namespace detail

/// cblas_sgemm. α and β are rounded to f32.
template <>
struct kernel<OpenBlas, Gemm<float32, float32, float32, float32>> {
  static constexpr bool available = true;

  static Result<void> run(OpenBlas&, OpenBlas::Stream&, const GemmProblem& problem,
                          const GemmArguments<float32, float32, float32>& arguments) {
    return detail::openblas_gemm<float32>(
        problem, arguments, [](const auto& s, float alpha, const float* a, const float* b, float beta, float* c) {
          cblas_sgemm(s.order, s.transpose_a, s.transpose_b, s.m, s.n, s.k, alpha, a, s.lda, b, s.ldb, beta, c, s.ldc);
        });
  }
};

/// cblas_dgemm.
template <>
struct kernel<OpenBlas, Gemm<float64, float64, float64, float64>> {
  static constexpr bool available = true;

  static Result<void> run(OpenBlas&, OpenBlas::Stream&, const GemmProblem& problem,
                          const GemmArguments<float64, float64, float64>& arguments) {
    return detail::openblas_gemm<float64>(
        problem, arguments, [](const auto& s, double alpha, const double* a, const double* b, double beta, double* c) {
          cblas_dgemm(s.order, s.transpose_a, s.transpose_b, s.m, s.n, s.k, alpha, a, s.lda, b, s.ldb, beta, c, s.ldc);
        });
  }
};

#if defined(__ELF__)
/// cblas_sbgemm: bf16 operands, f32 sums and output. α and β are rounded to f32. Unsupported where the library was
/// built without BUILD_BFLOAT16.
template <>
struct kernel<OpenBlas, Gemm<bfloat16, bfloat16, float32, float32>> {
  static constexpr bool available = true;

  static Result<void> run(OpenBlas&, OpenBlas::Stream&, const GemmProblem& problem,
                          const GemmArguments<bfloat16, bfloat16, float32>& arguments) {
    static_assert(sizeof(::bfloat16) == sizeof(assay::bfloat16));
    if (&cblas_sbgemm == nullptr)
      return failure(ErrorKind::unsupported,
                     "this OpenBLAS has no cblas_sbgemm: it was built without BUILD_BFLOAT16=1");
    return detail::openblas_gemm<float32>(
        problem, arguments,
        [](const auto& s, float alpha, const assay::bfloat16* a, const assay::bfloat16* b, float beta, float* c) {
          cblas_sbgemm(s.order, s.transpose_a, s.transpose_b, s.m, s.n, s.k, alpha,
                       reinterpret_cast<const ::bfloat16*>(a), s.lda, reinterpret_cast<const ::bfloat16*>(b), s.ldb,
                       beta, c, s.ldc);
        });
  }
};
#endif

}  // namespace assay::inline v0
