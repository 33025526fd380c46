#pragma once

#include "assay/kernels/attention_merge/attention_merge.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> AttentionMerge::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const ElementFormat f32 = element_format<float32>();
  return std::vector<OperandSpec>{
      {"partial_output", OperandRole::input, problem.partial, {problem.parts, problem.rows, problem.value_depth}},
      {"partial_log_sum_exp", OperandRole::input, f32, {problem.parts, problem.rows}},
      {"output", OperandRole::output, problem.output, {problem.rows, problem.value_depth}},
      {"log_sum_exp", OperandRole::output, f32, {problem.rows}}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData AttentionMerge::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                              std::uint64_t seed) {
  const double infinity = detail::double_of(binary64_layout.infinity_bits()),
               nan = detail::double_of(binary64_layout.nan_bits());
  const FillKind base =
      kind == FillKind::canceling || kind == FillKind::swamping || kind == FillKind::special ? FillKind::normal : kind;
  const Fill values{base, seed * 4, problem.value_depth, problem.partial.layout},
      logarithms{base, seed * 4 + 1, problem.parts};
  std::vector<double> outputs, sums;
  for (Index part = 0; part < problem.parts; ++part)
    for (Index row = 0; row < problem.rows; ++row) {
      const bool nothing = row % 11 == 5 || logarithms.bits(row, part, 7).words[0] % 6 == 0;
      const double drawn = logarithms(row, part);
      sums.push_back(nothing                       ? -infinity
                     : kind == FillKind::swamping  ? 12 * drawn
                     : kind == FillKind::canceling ? drawn + (row % 2 == 0 ? 200 : -200)
                                                   : 4 + drawn);
      for (Index c = 0; c < problem.value_depth; ++c) {
        const double value = values(part * problem.rows + row, c);
        outputs.push_back(nothing ? (problem.unwritten_parts ? nan : 0)
                          : kind == FillKind::special && row % 4 == 1 && part == 1 && c % 3 == 0 ? nan
                                                                                                 : value);
      }
    }
  OperationData data;
  data.model = kind == FillKind::constant ? RoundingModel::worst_case : RoundingModel::statistical;
  data.operands = {OperandFill::of(std::move(outputs)), OperandFill::of(std::move(sums)), {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<AttentionMerge::Problem>> AttentionMerge::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, uniform, constant, canceling, swamping, special},
      core{normal, canceling, swamping};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index parts, Index rows, Index depth, const std::vector<FillKind>& fills, bool large = false) {
    for (const ElementFormat& partial : {format, element_format<float32>()}) {
      Problem problem;
      problem.parts = parts;
      problem.rows = rows;
      problem.value_depth = depth;
      problem.partial = partial;
      problem.output = format;
      shapes.push_back({problem, fills, large});
      problem.unwritten_parts = true;
      shapes.push_back({problem, fills, large});
      if (format == element_format<float32>()) break;
    }
  };
  add(4, 24, 16, all);
  add(2, 12, 33, core);
  add(1, 7, 8, core);
  add(7, 40, 5, all);
  add(16, 32, 128, core);  // a token of Llama 3 8B
  add(64, 9, 8, core);
  add(3, 0, 8, {normal});
  add(3, 4, 0, {normal});
  shapes.front().problem.fully_masked = FullyMasked::nan;
  add(32, 4096, 128, {normal}, true);
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> AttentionMerge::derivation(const Problem& problem,
                                                                               RoundingModel model,
                                                                               const Arithmetic& arithmetic) {
  using detail::number;
  const AttentionBound bound = attention_merge_bound(problem, model, arithmetic);
  return {"the bound of an attention over " + std::to_string(problem.parts) +
              " keys whose scores L_p are exact: d = eps + 2u(|L_p - m| + |m|), u = " + number(bound.unit) +
              ", eps = " + number(bound.function_error),
          "G = g(parts) + 2u range + 2u|m| + (2u + eps) log l + (parts - 1)(2eps + 6u + 2u(|m| + log l)) for merges "
          "one by one; g(parts) = " +
              number(bound.growth_keys),
          "E = (1 + D) sum p(e^d - 1 + G)|o_p| + (D + eps + 2u)|o|; log-sum-exp: E = -log(1 - D) + eps|log l| + 4u(|m| "
          "+ |log l| + |L|)"};
}

}  // namespace assay::inline v0
