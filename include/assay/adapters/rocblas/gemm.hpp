#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "assay/adapters/detail/blas_gemm.hpp"
#include "assay/adapters/detail/gemm_scalar.hpp"
#include "assay/adapters/rocblas/rocblas.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

template <Format T>
[[nodiscard]] constexpr rocblas_datatype rocblas_type() {
  if constexpr (std::is_same_v<T, float64>) return rocblas_datatype_f64_r;
  if constexpr (std::is_same_v<T, float32>) return rocblas_datatype_f32_r;
  if constexpr (std::is_same_v<T, float16>) return rocblas_datatype_f16_r;
  if constexpr (std::is_same_v<T, bfloat16>) return rocblas_datatype_bf16_r;
}

/// A call of rocblas_gemm_strided_batched_ex, all but the handle.
template <Format Scalar>
struct RocBlasGemmCall {
  BlasGemm gemm;
  Scalar alpha, beta;
  rocblas_datatype input, output;

  [[nodiscard]] rocblas_status operator()(rocblas_handle handle) const {
    const auto operation = [](bool transposed) {
      return transposed ? rocblas_operation_transpose : rocblas_operation_none;
    };
    const auto number = [](Index value) { return static_cast<rocblas_int>(value); };
    return rocblas_gemm_strided_batched_ex(
        handle, operation(gemm.transpose_a), operation(gemm.transpose_b), number(gemm.m), number(gemm.n),
        number(gemm.k), &alpha, gemm.a, input, number(gemm.lda), gemm.stride_a, gemm.b, input, number(gemm.ldb),
        gemm.stride_b, &beta, gemm.c, output, number(gemm.ldc), gemm.stride_c, gemm.c, output, number(gemm.ldc),
        gemm.stride_c, number(gemm.batch), rocblas_type<Scalar>(), rocblas_gemm_algo_standard, 0,
        rocblas_gemm_flags_none);
  }
};

/// Needs no device. Errors: `invalid` as of `lay_out`, `unsupported` where α or β overflows, or an extent 32 bits.
template <Format Input, Format Accumulator, Format Output>
[[nodiscard]] Result<RocBlasGemmCall<Accumulator>> rocblas_gemm_call(
    const GemmProblem& problem, const GemmArguments<Input, Input, Output>& arguments) {
  const auto gemm = blas_gemm(problem, arguments.a.data, arguments.b.data, arguments.c.data);
  if (!gemm) return gemm.propagate();
  const BlasGemm& of = gemm.value();
  const Index largest = std::max({of.m, of.n, of.k, of.batch, of.lda, of.ldb, of.ldc});
  if (largest > std::numeric_limits<rocblas_int>::max())
    return failure(ErrorKind::unsupported, "rocBLAS counts in " + std::to_string(8 * sizeof(rocblas_int)) +
                                               "-bit integers; an extent or leading dimension is " +
                                               std::to_string(largest));
  const auto alpha = gemm_scalar<Accumulator>("rocBLAS", "alpha", problem.alpha);
  if (!alpha) return alpha.propagate();
  const auto beta = gemm_scalar<Accumulator>("rocBLAS", "beta", problem.beta);
  if (!beta) return beta.propagate();
  return RocBlasGemmCall<Accumulator>{of, alpha.value(), beta.value(), rocblas_type<Input>(), rocblas_type<Output>()};
}

/// rocblas_gemm_strided_batched_ex in place (D is C); α and β are rounded to the accumulator's format. On gfx90a matrix
/// units take subnormal numbers of 16 bits for 0: validation shows it.
template <Format Input, Format Accumulator, Format Output>
struct RocBlasGemm {
  static constexpr bool available = true;

  static Result<void> run(RocBlas& backend, RocBlas::Stream& stream, const GemmProblem& problem,
                          const GemmArguments<Input, Input, Output>& arguments) {
    const auto call = rocblas_gemm_call<Input, Accumulator, Output>(problem, arguments);
    if (!call) return call.propagate();
    return backend.submit(stream, "rocblas_gemm_strided_batched_ex",
                          Gemm<Input, Input, Accumulator, Output>::formats() + " " + name_of(problem), call.value());
  }
};

}  // namespace detail

template <>
struct kernel<RocBlas, Gemm<float64, float64, float64, float64>> : detail::RocBlasGemm<float64, float64, float64> {};
template <>
struct kernel<RocBlas, Gemm<float32, float32, float32, float32>> : detail::RocBlasGemm<float32, float32, float32> {};
template <>
struct kernel<RocBlas, Gemm<float16, float16, float16, float16>> : detail::RocBlasGemm<float16, float16, float16> {};
template <Format Half, Format Output>
requires((std::is_same_v<Half, float16> || std::is_same_v<Half, bfloat16>)&&(
    std::is_same_v<Output, Half> ||
    std::is_same_v<Output, float32>)) struct kernel<RocBlas, Gemm<Half, Half, float32, Output>>
    : detail::RocBlasGemm<Half, float32, Output> {
};

}  // namespace assay::inline v0
