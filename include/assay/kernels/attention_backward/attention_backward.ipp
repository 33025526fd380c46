#pragma once

#include "assay/kernels/attention_backward/attention_backward.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> AttentionBackward::operands(const Problem& problem) {
  if (auto checked = check_backward(problem); !checked) return checked.propagate();
  auto forward = Attention::operands(problem);
  if (!forward) return forward;
  std::vector<OperandSpec> specs(forward.value().begin(),
                                 forward.value().begin() + AttentionBackwardOperand::output_gradient);
  const auto add = [&](const char* name, OperandRole role, const ElementFormat& format, int like) {
    specs.push_back({name, role, format, forward.value()[static_cast<std::size_t>(like)].extents});
  };
  add("output_gradient", OperandRole::input, problem.output, AttentionOperand::output);
  add("query_gradient", OperandRole::output, problem.query, AttentionOperand::query);
  add("key_gradient", OperandRole::output, problem.key_value, AttentionOperand::key);
  add("value_gradient", OperandRole::output, problem.key_value, AttentionOperand::value);
  return specs;
}

ASSAY_DETAIL_HEADER_INLINE OperationData AttentionBackward::data(const Problem& problem, FillKind kind,
                                                                 const Arithmetic&, std::uint64_t seed) {
  OperationData data = attention_data(problem, kind, seed);
  data.operands.resize(AttentionBackwardOperand::output_gradient);
  if (kind == FillKind::subnormal) data.operands[AttentionOperand::value].pattern.kind = FillKind::normal;
  OperandFill gradient;
  gradient.pattern = {kind == FillKind::uniform || kind == FillKind::log_uniform ? kind : FillKind::normal,
                      seed * 8 + 4, problem.value_depth, problem.output.layout};
  if (kind == FillKind::uniform) gradient.offset = -0.5;  // as values have
  data.operands.push_back(gradient);
  data.operands.resize(AttentionBackwardOperand::count);
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<AttentionBackward::Problem>> AttentionBackward::shapes(
    const ElementFormat& format) {
  std::vector<OperationShape<Problem>> shapes;
  for (OperationShape<Problem>& shape : attention_shapes(format)) {
    const Problem& problem = shape.problem;
    if (shape.large || problem.keys * problem.queries * problem.depth >= 40000 || !check_backward(problem)) continue;
    if (!problem.causal && problem.window_left < 0)
      for (std::size_t f = shape.fills.size(); f-- > 0;)
        if (shape.fills[f] == FillKind::special)
          shape.fills.erase(shape.fills.begin() + static_cast<std::ptrdiff_t>(f));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> AttentionBackward::derivation(const Problem& problem,
                                                                                  RoundingModel model,
                                                                                  const Arithmetic& arithmetic) {
  using detail::number;
  const AttentionGradientBound bound = AttentionGradientBound::of(problem, model, arithmetic);
  return {
      "p = exp(s - L): e_p = p(e^d - 1), d = delta + eps + 2u(|s - L| + |L|) + E_L, with delta and E_L of the "
      "attention; u = " +
          number(bound.forward.unit) + ", eps = " + number(bound.forward.function_error),
      "dP = sum dO V: e_dP = (g(value_depth) + 2u) sum |dO||V|, g = " + number(bound.growth_values) +
          "; D = sum dO O: from the output stored with u_O = " + number(bound.output_unit) +
          " and, where it is subnormal, within " + number(bound.output_underflow) +
          ", or from sum p dP, whichever errs more",
      "dS = p(dP - D)f: e_dS = f((p + e_p)(e_dP + e_D + u(|dP| + |D|)) + e_p|dP - D|) + p|dP - D| e_f + 3u|dS|",
      "sums over keys, g = " + number(bound.growth_keys) + ", and queries, g = " + number(bound.growth_queries) +
          ": E = scale(sum e|x| + min(sum t|dS x|, lambda sqrt(sum (t dS x)^2)) + g sum |dS x| + 3u|sum|), t = u_P = " +
          number(bound.forward.weight_unit) + ", lambda = " + number(bound.forward.confidence)};
}

}  // namespace assay::inline v0
