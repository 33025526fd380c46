#pragma once

#include "assay/kernels/linear/names.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const LinearProblem& problem) {
  std::string name = extents_name({problem.m, problem.n, problem.k});
  if (problem.groups > 0) name += "-g" + std::to_string(problem.groups) + "-" + name_of(problem.group_sizes);
  if (problem.transpose_b) name += "-nt";
  const auto granular = [&](const char* what, LinearGranularity granularity) {
    if (granularity != LinearGranularity::none)
      name += std::string("-") + what + (granularity == LinearGranularity::vector ? "v" : "");
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
  if (problem.output_scaled) name += "-quantized";
  return name;
}

ASSAY_DETAIL_HEADER_INLINE std::string formats_of(const LinearProblem& problem) {
  const auto stored = [](const LinearMatrix& matrix) {
    return std::string(matrix.is_block_scaled() ? matrix.scheme.name : matrix.format.name) +
           (matrix.is_sparse() ? "_2of4" : "");
  };
  std::string name = stored(problem.a);
  if (stored(problem.b) != name) name += "x" + stored(problem.b);
  if (!(problem.dequantized == element_format<float32>())) name += std::string(".via_") + problem.dequantized.name;
  return name + "." + problem.output.name;
}

}  // namespace assay::inline v0
