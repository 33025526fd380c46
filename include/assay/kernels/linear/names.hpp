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

/// The name in case ids, by what is special: int8_gemm, grouped_gemm, scaled_gemm (both operands block-scaled), weight_only_gemm (weights only), sparse_gemm, fused_gemm.
[[nodiscard]] constexpr const char* operation_of(const LinearProblem& problem) {
  if (problem.groups > 0) return "grouped_gemm";
  if (problem.is_integer()) return "int8_gemm";
  if (problem.b.is_sparse()) return "sparse_gemm";
  if (problem.a.is_block_scaled()) return "scaled_gemm";
  if (problem.b.is_block_scaled()) return "weight_only_gemm";
  return "fused_gemm";
}

/// "33x17x100-g8-ragged-nt-za-zbv-sbv-bias-gelu-res-quantised".
[[nodiscard]] inline std::string name_of(const LinearProblem& problem) {
  std::string name = extents_name({problem.m, problem.n, problem.k});
  if (problem.groups > 0) name += "-g" + std::to_string(problem.groups) + "-" + name_of(problem.group_sizes);
  if (problem.transpose_b) name += "-nt";
  const auto granular = [&](const char* what, LinearGranularity granularity) {
    if (granularity != LinearGranularity::none) name += std::string("-") + what + (granularity == LinearGranularity::vector ? "v" : "");
  };
  granular("za", problem.a.zero_points);
  granular("zb", problem.b.zero_points);
  granular("sa", problem.a.scales);
  granular("sb", problem.b.scales);
  if ((problem.a.is_block_scaled() && problem.a.scheme.order == ScaleOrder::tiles_128x4) ||
      (problem.b.is_block_scaled() && problem.b.scheme.order == ScaleOrder::tiles_128x4))
    name += "-tiles";
  if (problem.expanded_zero_points) name += "-expanded";
  if (problem.bias) name += "-bias";
  if (problem.activation != LinearActivation::none) name += std::string("-") + name_of(problem.activation);
  if (problem.residual) name += "-res";
  if (problem.output_scaled) name += "-quantised";
  return name;
}

/// "mxfp8_e4m3xmxfp4.bf16", "bf16.bf16": A, B where it is stored otherwise, output; the format of dequantised elements where it is not float32.
[[nodiscard]] inline std::string formats_of(const LinearProblem& problem) {
  const auto stored = [](const LinearMatrix& matrix) {
    return std::string(matrix.is_block_scaled() ? matrix.scheme.name : matrix.format.name) + (matrix.is_sparse() ? "_2of4" : "");
  };
  std::string name = stored(problem.a);
  if (stored(problem.b) != name) name += "x" + stored(problem.b);
  if (!(problem.dequantised == element_format<float32>())) name += std::string(".via_") + problem.dequantised.name;
  return name + "." + problem.output.name;
}

}  // namespace assay::inline v0
