#pragma once

#include "assay/kernels/linear/operands.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> linear_operands(const LinearProblem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  using Extents = std::vector<Index>;
  const auto with_groups = [&](bool grouped, Extents extents) {
    if (grouped && problem.groups > 0) extents.insert(extents.begin(), problem.groups);
    return extents;
  };
  const ElementFormat byte = element_format<std::uint8_t>(), single = element_format<float32>();
  std::vector<OperandSpec> specs;
  const auto add_matrix = [&](const char* name, const LinearMatrix& matrix, Index vectors, bool is_b, bool transposed) {
    const std::string own = name;
    const BlockScaling& scheme = matrix.scheme;
    if (matrix.is_block_scaled()) {
      const Index rows = scheme.scale_rows(vectors), columns = scheme.scale_columns(problem.k);
      const Extents table = scheme.order == ScaleOrder::tiles_128x4 ? Extents{tiled_scales(rows, columns).elements()}
                                                                    : Extents{rows, columns};
      specs.push_back({own, OperandRole::input, byte,
                       with_groups(is_b, {vectors, packed_bytes(scheme.packing, scheme.element.bits, problem.k)})});
      specs.push_back(
          {own + "_scales", OperandRole::input, detail::element_format_of(scheme.scale), with_groups(is_b, table)});
      specs.push_back({own + "_zero_points", OperandRole::input, byte, with_groups(is_b, table), scheme.zero_points});
      return;
    }
    const Index terms = matrix.is_sparse() ? problem.k / 2 : problem.k;
    specs.push_back({own, OperandRole::input, matrix.format,
                     with_groups(is_b, transposed ? Extents{terms, vectors} : Extents{vectors, terms})});
    const auto numbers = [&](LinearGranularity granularity) {
      return granularity == LinearGranularity::vector ? with_groups(is_b, {vectors}) : Extents{1};
    };
    specs.push_back({own + "_scales", OperandRole::input, single, numbers(matrix.scales),
                     matrix.scales != LinearGranularity::none});
    specs.push_back({own + "_zero_points", OperandRole::input, element_format<std::int32_t>(),
                     numbers(matrix.zero_points), matrix.zero_points != LinearGranularity::none});
  };
  const Index columns = problem.columns_of_b();
  add_matrix("a", problem.a, problem.m, false, false);
  add_matrix("b", problem.b, columns, true, !problem.transpose_b);
  specs.push_back(
      {"metadata", OperandRole::input, byte, with_groups(true, {columns, (problem.k + 7) / 8}), problem.b.is_sparse()});
  specs.push_back(
      {"offsets", OperandRole::input, element_format<std::int32_t>(), {problem.groups + 1}, problem.groups > 0});
  specs.push_back({"bias", OperandRole::input, problem.epilogue_format(), {columns}, problem.bias});
  specs.push_back(
      {"residual", OperandRole::input, problem.epilogue_format(), {problem.m, problem.n}, problem.residual});
  specs.push_back({"whole_scales",
                   OperandRole::input,
                   single,
                   {3},
                   problem.output_scaled || problem.a.has_tensor_scale() || problem.b.has_tensor_scale()});
  specs.push_back({"output", OperandRole::output, problem.output, {problem.m, problem.n}});
  return specs;
}

}  // namespace assay::inline v0
