#pragma once

#include <string>

#include "assay/kernels/linear/problem.hpp"

namespace assay::inline v0 {

[[nodiscard]] constexpr const char* name_of(LinearActivation activation) {
  switch (activation) {
    case LinearActivation::none: return "none";
    case LinearActivation::relu: return "relu";
    case LinearActivation::gelu: return "gelu";
    case LinearActivation::gelu_tanh: return "gelu_tanh";
    case LinearActivation::silu: return "silu";
    case LinearActivation::swiglu: return "swiglu";
  }
  return "none";
}

[[nodiscard]] constexpr const char* name_of(GroupSizes sizes) {
  switch (sizes) {
    case GroupSizes::even: return "even";
    case GroupSizes::ragged: return "ragged";
    case GroupSizes::one: return "one";
  }
  return "even";
}

/// The name in case ids, by what is special: int8_gemm, grouped_gemm, scaled_gemm (both operands block-scaled),
/// weight_only_gemm (weights only), sparse_gemm, fused_gemm.
[[nodiscard]] constexpr const char* operation_of(const LinearProblem& problem) {
  if (problem.groups > 0) return "grouped_gemm";
  if (problem.is_integer()) return "int8_gemm";
  if (problem.b.is_sparse()) return "sparse_gemm";
  if (problem.a.is_block_scaled()) return "scaled_gemm";
  if (problem.b.is_block_scaled()) return "weight_only_gemm";
  return "fused_gemm";
}

/// "33x17x100-g8-ragged-nt-za-zbv-sbv-bias-gelu-res-quantized".
[[nodiscard]] std::string name_of(const LinearProblem& problem);

/// "mxfp8_e4m3xmxfp4.bf16", "bf16.bf16": A, B where it is stored otherwise, output; the format of dequantized elements
/// where it is not float32.
[[nodiscard]] std::string formats_of(const LinearProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/names.ipp"
#endif
