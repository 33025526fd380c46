#pragma once

#include <string>

#include "assay/adapters/cublas/cublaslt.hpp"
#include "assay/adapters/cublas/detail/types.hpp"
#include "assay/adapters/detail/tensor_core_sums.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/linear/linear.hpp"

namespace assay::inline v0 {

namespace detail {

/// Where k is contiguous in an operand of rows (vectors, terms): a vector's distance from the next; 0 where it is not.
[[nodiscard]] inline Index contiguous_rows(const Operand& operand) {
  const int last = operand.rank - 1;
  if (last < 1 || (operand.strides[last] != 1 && operand.extents[last] > 1)) return 0;
  return operand.strides[last - 1] > 0 ? operand.strides[last - 1] : 0;
}

/// One operand as cuBLASLt names it: its type, and its factors where it has them. `unsupported` says what cuBLASLt has
/// not.
struct CublasLtOperand {
  cudaDataType_t type = CUDA_R_32F;
  CublasLtScale scale;
};

[[nodiscard]] inline Result<CublasLtOperand> cublaslt_operand(const char* name, const LinearMatrix& matrix,
                                                              const Operand& scales) {
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::unsupported, std::string("cuBLASLt: ") + name + why);
  };
  if (matrix.is_sparse()) return refuse(" is 2:4 sparse, which is cuSPARSELt's business");
  if (matrix.zero_points != LinearGranularity::none) return refuse(" has zero points");
  CublasLtOperand operand;
  if (matrix.is_block_scaled()) {
    const std::string scheme = matrix.scheme.name;
    if (scheme != "mxfp8_e4m3" && scheme != "mxfp8_e5m2")
      return refuse(" is scaled by blocks as " + scheme + "; offered are mxfp8_e4m3 and mxfp8_e5m2");
    if (matrix.scheme.order != ScaleOrder::tiles_128x4) return refuse("'s scales must lie in tiles of 128×4");
    operand.type = scheme == "mxfp8_e4m3" ? CUDA_R_8F_E4M3 : CUDA_R_8F_E5M2;
    operand.scale = {scales.data, CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0};
    return operand;
  }
  const auto type = cuda_type_of(matrix.format);
  if (!type || matrix.format == element_format<tfloat32>()) return refuse(std::string(" is ") + matrix.format.name);
  operand.type = *type;
  if (matrix.scales == LinearGranularity::none) return operand;
  if (!is_eight_bit_float_type(*type))
    return refuse(std::string(" is ") + matrix.format.name + " with scales, which go with 8-bit floats only");
  operand.scale = {scales.data, matrix.scales == LinearGranularity::vector ? CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F
                                                                           : CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F};
  return operand;
}

/// The row-major layer as the column-major product of the transposes: cuBLASLt's A is B, its rows are the columns of
/// the output. Needs no device.
[[nodiscard]] inline Result<CublasLtProduct> cublaslt_linear(const LinearProblem& problem,
                                                             const OperandArray& operands) {
  using P = LinearOperands;
  if (auto checked = check(problem); !checked) return checked.propagate();
  const auto lacks = [](const std::string& what) { return failure(ErrorKind::unsupported, "cuBLASLt has no " + what); };
  if (problem.groups > 0)
    return lacks(
        "products whose groups of rows have weights of their own and whose sizes lie in one call; group by group would "
        "be another kernel");
  if (problem.output_scaled)
    return lacks(
        "division by an output scale: it multiplies by one, and the reciprocal would have to be computed on the "
        "device");
  if (problem.activation != LinearActivation::none && problem.activation != LinearActivation::relu &&
      problem.activation != LinearActivation::gelu_tanh)
    return lacks(std::string("epilogue for ") + name_of(problem.activation) + "; it has relu and gelu_tanh");
  if (problem.residual && problem.activation != LinearActivation::none) return lacks("addition behind an activation");
  if (problem.output.bytes == 1)
    return lacks(std::string("rounding to ") + problem.output.name +
                 " beyond whose range results are what the operation says: it saturates");
  const auto first = cublaslt_operand("a", problem.a, operands[P::a_scales]);
  if (!first) return first.propagate();
  const auto second = cublaslt_operand("b", problem.b, operands[P::b_scales]);
  if (!second) return second.propagate();
  const bool by_vectors = first.value().scale.mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
             other_by_vectors = second.value().scale.mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  if (by_vectors != other_by_vectors || first.value().scale.mode != second.value().scale.mode)
    return lacks("scales of one granularity for A and of another for B");
  const auto output = cuda_type_of(problem.output);
  if (!output || problem.output == element_format<tfloat32>())
    return lacks(std::string("output in ") + problem.output.name);
  CublasLtProduct product;
  BlasGemm& gemm = product.gemm;
  gemm.exchanged = true;
  gemm.a = operands[P::b].data;
  gemm.b = operands[P::a].data;
  gemm.c = operands[P::output].data;
  gemm.transpose_a = problem.transpose_b;
  gemm.m = problem.columns_of_b();
  gemm.n = problem.m;
  gemm.k = problem.k;
  gemm.lda = contiguous_rows(operands[P::b]);
  gemm.ldb = contiguous_rows(operands[P::a]);
  gemm.ldc = contiguous_rows(operands[P::output]);
  if ((gemm.lda == 0 || gemm.ldb == 0 || gemm.ldc == 0) && !gemm.is_empty() && gemm.k > 0)
    return lacks("operands whose rows are not contiguous");
  product.type_a = second.value().type;
  product.type_b = first.value().type;
  product.scale_a = second.value().scale;
  product.scale_b = first.value().scale;
  product.type_c = product.type_d = *output;
  if (problem.is_integer()) {
    if (problem.has_epilogue() || product.type_d != CUDA_R_32I)
      return lacks("products of bytes with scales or epilogues in " + std::string(problem.output.name) +
                   "; offered are int32 sums");
    product.compute = CUBLAS_COMPUTE_32I;
    product.scalar_type = CUDA_R_32I;
    product.alpha = CublasLtScalar::of(std::int32_t{1});
    product.beta = CublasLtScalar::of(std::int32_t{0});
    return product;
  }
  const bool doubles = product.type_a == CUDA_R_64F;
  product.compute = doubles ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  product.scalar_type = doubles ? CUDA_R_64F : CUDA_R_32F;
  const double beta = problem.residual ? 1 : 0;
  product.alpha = doubles ? CublasLtScalar::of(1.0) : CublasLtScalar::of(1.0F);
  product.beta = doubles ? CublasLtScalar::of(beta) : CublasLtScalar::of(static_cast<float>(beta));
  if (problem.residual) {
    product.added = operands[P::residual].data;
    product.added_leading_dimension = contiguous_rows(operands[P::residual]);
    if (product.added_leading_dimension == 0) return lacks("residuals whose rows are not contiguous");
  }
  if (problem.bias) {
    const Operand& bias = operands[P::bias];
    if (bias.strides[0] != 1 && bias.extents[0] > 1) return lacks("bias with gaps");
    product.bias = bias.data;
    product.bias_type = *cuda_type_of(problem.epilogue_format());
  }
  const bool relu = problem.activation == LinearActivation::relu,
             gelu = problem.activation == LinearActivation::gelu_tanh;
  product.epilogue = problem.bias ? (relu   ? CUBLASLT_EPILOGUE_RELU_BIAS
                                     : gelu ? CUBLASLT_EPILOGUE_GELU_BIAS
                                            : CUBLASLT_EPILOGUE_BIAS)
                                  : (relu   ? CUBLASLT_EPILOGUE_RELU
                                     : gelu ? CUBLASLT_EPILOGUE_GELU
                                            : CUBLASLT_EPILOGUE_DEFAULT);
  return product;
}

}  // namespace detail

/// cuBLASLt's products with fused bias, relu, gelu (the tanh form) or residual; of 8-bit floats with scales for tensors
/// and, on sm_90, rows and columns; of MXFP8 on sm_100; int8 into int32. All that it has not, and every problem for
/// which its heuristic finds no algorithm, is unsupported with the reason. The maximum of an output (amax) is not asked
/// for: no operation of ours has it as a result.
template <>
struct kernel<CublasLt, Linear> {
  static constexpr bool available = true;

  static Result<void> run(CublasLt& backend, CublasLt::Stream& stream, const LinearProblem& problem,
                          const OperandArray& operands) {
    const auto product = detail::cublaslt_linear(problem, operands);
    if (!product) return product.propagate();
    return backend.multiply(stream, product.value(), formats_of(problem) + " " + name_of(problem));
  }
  /// Sums of tensor cores, but for float32 and float64.
  [[nodiscard]] static Arithmetic arithmetic(const LinearProblem& problem) {
    Arithmetic arithmetic;
    const ElementFormat& format = problem.a.format;
    if (problem.a.is_block_scaled() || (format.is_float() && format.bytes == 1))
      arithmetic.accumulation = detail::eight_bit_tensor_core_sums();
    else if (format.is_float() && format.bytes == 2)
      arithmetic.accumulation = detail::tensor_core_sums(8);
    else if (format == element_format<float64>())
      arithmetic.accumulation = accumulation_in<float64>();
    return arithmetic;
  }
};

}  // namespace assay::inline v0
