#pragma once

#include <new>
#include <string>

#include "assay/adapters/detail/gemm_scalar.hpp"
#include "assay/adapters/detail/row_major_gemm.hpp"
#include "assay/adapters/eigen/eigen.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// Eigen's scalar of the same bits.
template <Format T>
struct EigenScalar {
  using type = T;
};
template <>
struct EigenScalar<float16> {
  using type = Eigen::half;
};
template <>
struct EigenScalar<bfloat16> {
  using type = Eigen::bfloat16;
};

template <Format T>
using EigenMatrix = Eigen::Matrix<typename EigenScalar<T>::type, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <Format T>
using EigenTransposedMatrix =
    Eigen::Matrix<typename EigenScalar<T>::type, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
template <class Matrix>
using EigenMap = Eigen::Map<Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

/// C = α·A·B + β·C of one matrix of the batch. Where β = 0 the product is assigned, and C is not read.
template <class A, class B, class C, class Scalar>
void eigen_multiply(const A& a, const B& b, C c, Scalar alpha, Scalar beta) {
  const Scalar zero(0.0f), one(1.0f);
  if (beta == zero) {
    c.noalias() = alpha * a * b;
    return;
  }
  if (beta != one) c *= beta;
  c.noalias() += alpha * a * b;
}

/// The first element of one matrix of the batch; `data` itself, which may be null, where there is none.
template <class Scalar, class T>
[[nodiscard]] Scalar* eigen_matrix(Scalar* data, const OperandView<T>& operand, Index batch) {
  return operand.rows == 0 || operand.columns == 0 ? data : data + batch * operand.batch_stride;
}

/// Calls `use` with op(X) as a map whose storage order is known to the compiler, as Eigen's packing wants it.
template <Format T, class Use>
void with_eigen_map(const OperandView<const T>& operand, Index batch, const Use& use) {
  static_assert(sizeof(typename EigenScalar<T>::type) == sizeof(T));
  const auto* data = eigen_matrix(reinterpret_cast<const typename EigenScalar<T>::type*>(operand.data), operand, batch);
  if (operand.column_stride == 1)
    use(EigenMap<const EigenMatrix<T>>(data, operand.rows, operand.columns, Eigen::OuterStride<>(operand.row_stride)));
  else
    use(EigenMap<const EigenTransposedMatrix<T>>(data, operand.rows, operand.columns,
                                                 Eigen::OuterStride<>(operand.column_stride)));
}

/// Eigen's product of two maps. α and β are rounded to the operands' format, in which Eigen also keeps its sums: for
/// f16 and bf16 every product and every partial sum is rounded to 16 bits.
template <Format T>
struct EigenGemm {
  static constexpr bool available = true;

  static Result<void> run(EigenLibrary&, EigenLibrary::Stream&, const GemmProblem& problem,
                          const GemmArguments<T, T, T>& arguments) {
    using Scalar = typename EigenScalar<T>::type;
    const auto gemm = row_major_gemm(problem, arguments);
    if (!gemm) return gemm.propagate();
    const auto alpha = gemm_scalar<T>("Eigen", "alpha", problem.alpha);
    if (!alpha) return alpha.propagate();
    const auto beta = gemm_scalar<T>("Eigen", "beta", problem.beta);
    if (!beta) return beta.propagate();
    const auto& [a, b, c] = gemm.value();
    auto* output = reinterpret_cast<Scalar*>(c.data);
    try {
      for (Index batch = 0; batch < problem.batch; ++batch) {
        const EigenMap<EigenMatrix<T>> result(eigen_matrix(output, c, batch), c.rows, c.columns,
                                              Eigen::OuterStride<>(c.row_stride));
        with_eigen_map<T>(a, batch, [&](const auto& left) {
          with_eigen_map<T>(b, batch, [&](const auto& right) {
            eigen_multiply(left, right, result, __builtin_bit_cast(Scalar, alpha.value()),
                           __builtin_bit_cast(Scalar, beta.value()));
          });
        });
      }
    } catch (const std::bad_alloc&) {
      return failure(ErrorKind::out_of_memory, "Eigen found no memory to pack the operands of its product in");
    }
    return {};
  }
};

}  // namespace detail

template <>
struct kernel<EigenLibrary, Gemm<float32, float32, float32, float32>> : detail::EigenGemm<float32> {};
template <>
struct kernel<EigenLibrary, Gemm<float64, float64, float64, float64>> : detail::EigenGemm<float64> {};
template <>
struct kernel<EigenLibrary, Gemm<float16, float16, float16, float16>> : detail::EigenGemm<float16> {};
template <>
struct kernel<EigenLibrary, Gemm<bfloat16, bfloat16, bfloat16, bfloat16>> : detail::EigenGemm<bfloat16> {};

}  // namespace assay::inline v0
