#pragma once

#include "assay/kernels/linear/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_linear_matrix(const char* name,
                                                                          const LinearMatrix& matrix) {
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::invalid, std::string(name) + ": " + why);
  };
  if (matrix.is_block_scaled()) {
    if (auto checked = check(matrix.scheme); !checked) return checked;
    if (matrix.scales != LinearGranularity::none || matrix.zero_points != LinearGranularity::none)
      return refuse(
          "scales and zero_points belong to dense operands; those of block-scaled ones are part of their scheme");
    return {};
  }
  if (matrix.zero_points != LinearGranularity::none && !matrix.is_integer())
    return refuse(std::string("zero_points need integers, not ") + matrix.format.name);
  if (matrix.is_sparse() && !matrix.format.is_float())
    return refuse(std::string("format is ") + matrix.format.name + "; sparse operands have floating-point elements");
  if (!matrix.format.is_float() && matrix.format.bytes != 1)
    return refuse(std::string("format is ") + matrix.format.name + "; integers have 8 bits");
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const LinearProblem& problem) {
  if (auto extents = check_extents({{"m", problem.m}, {"n", problem.n}, {"k", problem.k}, {"groups", problem.groups}});
      !extents)
    return extents;
  if (problem.n > INT64_MAX / 2 ||
      checked_product(checked_product(problem.matrices(), problem.columns_of_b()), problem.k > 0 ? problem.k : 1) < 0)
    return failure(ErrorKind::invalid, "n is " + std::to_string(problem.n) + "; B exceeds 2^63 − 1 elements");
  if (auto checked = detail::check_linear_matrix("a", problem.a); !checked) return checked;
  if (auto checked = detail::check_linear_matrix("b", problem.b); !checked) return checked;
  if (problem.a.is_sparse()) return failure(ErrorKind::invalid, "a: storage is sparse; only B, the weights, can be");
  if (problem.a.is_integer() != problem.b.is_integer())
    return failure(ErrorKind::invalid,
                   "b: format and a's must both be integers or both not; store integer weights of a floating-point A "
                   "block-scaled");
  if ((problem.b.is_sparse() || problem.b.is_block_scaled()) && !problem.transpose_b)
    return failure(ErrorKind::invalid, "transpose_b is false; block-scaled and sparse weights are stored n×k");
  if (problem.b.is_sparse() && problem.k % 4 != 0)
    return failure(ErrorKind::invalid,
                   "k is " + std::to_string(problem.k) + "; with sparse weights it must be a multiple of 4");
  if (problem.expanded_zero_points && !(problem.a.is_block_scaled() && problem.a.scheme.zero_points) &&
      !(problem.b.is_block_scaled() && problem.b.scheme.zero_points))
    return failure(ErrorKind::invalid, "expanded_zero_points is set; no block-scaled operand has zero points");
  if (problem.output_scaled && problem.output.bytes != 1)
    return failure(ErrorKind::invalid,
                   std::string("output_scaled goes with outputs of 8 bits, not with ") + problem.output.name);
  if (!problem.output.is_float() && !problem.output_scaled &&
      !(problem.is_integer() && problem.output == element_format<std::int32_t>() && !problem.has_epilogue()))
    return failure(
        ErrorKind::invalid,
        std::string("output is ") + problem.output.name +
            "; integers come of integer products without anything fused (int32) or of output_scaled (8 bits)");
  return check_float_formats({{"dequantized", problem.dequantized}});
}

}  // namespace assay::inline v0
