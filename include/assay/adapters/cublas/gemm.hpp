#pragma once

#include <string>
#include <type_traits>

#include "assay/adapters/cublas/cublas.hpp"
#include "assay/adapters/cublas/cublaslt.hpp"
#include "assay/adapters/cublas/detail/types.hpp"
#include "assay/adapters/detail/blas_gemm.hpp"
#include "assay/adapters/detail/gemm_scalar.hpp"
#include "assay/adapters/detail/tensor_core_sums.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// In which arithmetic cuBLAS is asked for a product of that input and accumulator.
template <Format Input, Format Accumulator>
[[nodiscard]] constexpr cublasComputeType_t cublas_compute_type() {
  if constexpr (std::is_same_v<Accumulator, float64>)
    return CUBLAS_COMPUTE_64F;
  else if constexpr (std::is_same_v<Accumulator, float16>)
    return CUBLAS_COMPUTE_16F;
  else if constexpr (std::is_same_v<Input, tfloat32>)
    return CUBLAS_COMPUTE_32F_FAST_TF32;
  else
    return CUBLAS_COMPUTE_32F;
}

/// A call of cublasGemmStridedBatchedEx, all but the handle.
template <Format Scalar>
struct CublasGemmCall {
  BlasGemm gemm;
  Scalar alpha, beta;
  cudaDataType_t input, output;
  cublasComputeType_t compute;

  [[nodiscard]] cublasStatus_t operator()(cublasHandle_t handle) const {
    const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    return cublasGemmStridedBatchedEx_64(handle, operation(gemm.transpose_a), operation(gemm.transpose_b), gemm.m,
                                         gemm.n, gemm.k, &alpha, gemm.a, input, gemm.lda, gemm.stride_a, gemm.b, input,
                                         gemm.ldb, gemm.stride_b, &beta, gemm.c, output, gemm.ldc, gemm.stride_c,
                                         gemm.batch, compute, CUBLAS_GEMM_DEFAULT);
  }
};

/// Needs no device. Errors: `invalid` as of `lay_out`, `unsupported` where α or β overflows.
template <Format Input, Format Accumulator, Format Output>
[[nodiscard]] Result<CublasGemmCall<Accumulator>> cublas_gemm_call(
    const GemmProblem& problem, const GemmArguments<Input, Input, Output>& arguments) {
  const auto gemm = blas_gemm(problem, arguments.a.data, arguments.b.data, arguments.c.data);
  if (!gemm) return gemm.propagate();
  const auto alpha = gemm_scalar<Accumulator>("cuBLAS", "alpha", problem.alpha);
  if (!alpha) return alpha.propagate();
  const auto beta = gemm_scalar<Accumulator>("cuBLAS", "beta", problem.beta);
  if (!beta) return beta.propagate();
  return CublasGemmCall<Accumulator>{gemm.value(),
                                     alpha.value(),
                                     beta.value(),
                                     *cuda_type_of(element_format<Input>()),
                                     *cuda_type_of(element_format<Output>()),
                                     cublas_compute_type<Input, Accumulator>()};
}

/// cublasGemmStridedBatchedEx with 64-bit extents; α and β are rounded to the accumulator's format.
template <Format Input, Format Accumulator, Format Output>
struct CublasGemm {
  static constexpr bool available = true;

  static Result<void> run(Cublas& backend, Cublas::Stream& stream, const GemmProblem& problem,
                          const GemmArguments<Input, Input, Output>& arguments) {
    const auto call = cublas_gemm_call<Input, Accumulator, Output>(problem, arguments);
    if (!call) return call.propagate();
    return backend.submit(stream, "cublasGemmStridedBatchedEx",
                          Gemm<Input, Input, Accumulator, Output>::formats() + " " + name_of(problem), call.value());
  }
  [[nodiscard]] static AccumulationModel accumulation(const GemmProblem&) {
    return cublas_accumulation<Input, Accumulator>();
  }
};

/// Needs no device. Errors: `invalid` as of `lay_out`, `unsupported` where α or β overflows.
template <Format A, Format B, Format Accumulator, Format C>
[[nodiscard]] Result<CublasLtProduct> cublaslt_product(const GemmProblem& problem,
                                                       const GemmArguments<A, B, C>& arguments) {
  const auto gemm = blas_gemm(problem, arguments.a.data, arguments.b.data, arguments.c.data);
  if (!gemm) return gemm.propagate();
  const auto alpha = gemm_scalar<Accumulator>("cuBLASLt", "alpha", problem.alpha);
  if (!alpha) return alpha.propagate();
  const auto beta = gemm_scalar<Accumulator>("cuBLASLt", "beta", problem.beta);
  if (!beta) return beta.propagate();
  CublasLtProduct product;
  product.gemm = gemm.value();
  const cudaDataType_t first = *cuda_type_of(element_format<A>()), second = *cuda_type_of(element_format<B>());
  product.type_a = product.gemm.exchanged ? second : first;
  product.type_b = product.gemm.exchanged ? first : second;
  product.type_c = product.type_d = *cuda_type_of(element_format<C>());
  product.scalar_type = *cuda_type_of(element_format<Accumulator>());
  product.compute = cublas_compute_type<A, Accumulator>();
  product.alpha = CublasLtScalar::of(alpha.value());
  product.beta = CublasLtScalar::of(beta.value());
  return product;
}

/// cublasLtMatmul by the algorithm that its heuristic gives first; α and β are rounded to the accumulator's format. Of
/// 8-bit floats no fast accumulation is asked for.
template <Format A, Format B, Format Accumulator, Format C>
struct CublasLtGemm {
  static constexpr bool available = true;

  static Result<void> run(CublasLt& backend, CublasLt::Stream& stream, const GemmProblem& problem,
                          const GemmArguments<A, B, C>& arguments) {
    const auto product = cublaslt_product<A, B, Accumulator, C>(problem, arguments);
    if (!product) return product.propagate();
    return backend.multiply(stream, product.value(), Gemm<A, B, Accumulator, C>::formats() + " " + name_of(problem));
  }
  [[nodiscard]] static AccumulationModel accumulation(const GemmProblem&) {
    return cublas_accumulation<A, Accumulator>();
  }
};

}  // namespace detail

template <>
struct kernel<Cublas, Gemm<float64, float64, float64, float64>> : detail::CublasGemm<float64, float64, float64> {};
template <>
struct kernel<Cublas, Gemm<float32, float32, float32, float32>> : detail::CublasGemm<float32, float32, float32> {};
/// CUBLAS_COMPUTE_32F_FAST_TF32 on numbers that are TF32 already.
template <>
struct kernel<Cublas, Gemm<tfloat32, tfloat32, float32, float32>> : detail::CublasGemm<tfloat32, float32, float32> {};
template <>
struct kernel<Cublas, Gemm<float16, float16, float32, float16>> : detail::CublasGemm<float16, float32, float16> {};
template <>
struct kernel<Cublas, Gemm<float16, float16, float32, float32>> : detail::CublasGemm<float16, float32, float32> {};
template <>
struct kernel<Cublas, Gemm<float16, float16, float16, float16>> : detail::CublasGemm<float16, float16, float16> {};
template <>
struct kernel<Cublas, Gemm<bfloat16, bfloat16, float32, bfloat16>> : detail::CublasGemm<bfloat16, float32, bfloat16> {};
template <>
struct kernel<Cublas, Gemm<bfloat16, bfloat16, float32, float32>> : detail::CublasGemm<bfloat16, float32, float32> {};

template <>
struct kernel<CublasLt, Gemm<float64, float64, float64, float64>>
    : detail::CublasLtGemm<float64, float64, float64, float64> {};
template <>
struct kernel<CublasLt, Gemm<float32, float32, float32, float32>>
    : detail::CublasLtGemm<float32, float32, float32, float32> {};
/// CUBLAS_COMPUTE_32F_FAST_TF32 on numbers that are TF32 already.
template <>
struct kernel<CublasLt, Gemm<tfloat32, tfloat32, float32, float32>>
    : detail::CublasLtGemm<tfloat32, tfloat32, float32, float32> {};
template <>
struct kernel<CublasLt, Gemm<float16, float16, float16, float16>>
    : detail::CublasLtGemm<float16, float16, float16, float16> {};
template <Format Half, Format Output>
requires((std::is_same_v<Half, float16> || std::is_same_v<Half, bfloat16>)&&(
    std::is_same_v<Output, Half> ||
    std::is_same_v<Output, float32>)) struct kernel<CublasLt, Gemm<Half, Half, float32, Output>>
    : detail::CublasLtGemm<Half, Half, float32, Output> {
};
/// 8-bit floats, at most one of them f8e5m2; compute capability 8.9 and above.
template <Format A, Format B, Format Output>
requires(detail::is_eight_bit_float<A>&& detail::is_eight_bit_float<B> &&
         !(std::is_same_v<A, float8_e5m2> && std::is_same_v<B, float8_e5m2>)&&(
             std::is_same_v<Output, float16> || std::is_same_v<Output, bfloat16> ||
             std::is_same_v<Output, float32>)) struct kernel<CublasLt, Gemm<A, B, float32, Output>>
    : detail::CublasLtGemm<A, B, float32, Output> {
};

}  // namespace assay::inline v0
