#pragma once

#include "assay/kernels/attention/attention.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Attention::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  using enum OperandRole;
  using Extents = std::vector<Index>;
  const bool packed = problem.storage == AttentionStorage::packed, paged = problem.storage == AttentionStorage::paged;
  const Index tokens = packed ? detail::sum_of(problem.query_lengths) : 0,
              key_tokens = packed ? detail::sum_of(problem.key_lengths) : 0;
  const auto of_query = [&](Index depth) {
    return packed ? Extents{tokens, problem.heads, depth}
                  : Extents{problem.batch, problem.heads, problem.queries, depth};
  };
  const auto of_key = [&](Index depth) {
    return packed  ? Extents{key_tokens, problem.key_heads, depth}
           : paged ? Extents{problem.pages, problem.page_size, problem.key_heads, depth}
                   : Extents{problem.batch, problem.key_heads, problem.keys, depth};
  };
  const ElementFormat f32 = element_format<float32>(), index = element_format<std::int32_t>();
  const Extents mask = problem.additive_mask == AdditiveMask::shared
                           ? Extents{problem.queries, problem.keys}
                           : Extents{problem.batch, problem.heads, problem.queries, problem.keys};
  const bool scaled = problem.key_value_scale != KeyValueScale::none;
  const Index scales = problem.key_value_scale == KeyValueScale::per_head ? problem.key_heads : 1;
  return std::vector<OperandSpec>{
      {"query", input, problem.query, of_query(problem.depth)},
      {"key", input, problem.key_value, of_key(problem.depth)},
      {"value", input, problem.key_value, of_key(problem.value_depth)},
      {"additive_mask", input, problem.query, mask, problem.additive_mask != AdditiveMask::none},
      {"slopes", input, f32, {problem.heads}, problem.alibi},
      {"query_starts", input, index, {problem.batch + 1}, packed},
      {"key_lengths", input, index, {problem.batch + (packed ? 1 : 0)}, !problem.key_lengths.empty() || packed},
      {"block_table", input, index, {problem.batch, problem.pages_of_sequence()}, paged},
      {"key_scale", input, f32, {scales}, scaled},
      {"value_scale", input, f32, {scales}, scaled},
      {"output", output, problem.output, of_query(problem.value_depth)},
      {"log_sum_exp", output, f32,
       packed ? Extents{problem.heads, tokens} : Extents{problem.batch, problem.heads, problem.queries}}};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Attention::derivation(const Problem& problem, RoundingModel model,
                                                                          const Arithmetic& arithmetic) {
  using detail::number;
  const AttentionBound bound = AttentionBound::of(problem, model, arithmetic);
  std::string stored = "t = u_P + tau: stored weights u_P = " + number(bound.weight_unit) +
                       ", stored scores tau = u_S|s|, u_S = " + number(bound.score_unit);
  if (bound.confidence > 0)
    stored += "; independent from key to key: the smaller of sum p t|v| and lambda sqrt(sum (p t v)^2), lambda = " +
              number(bound.confidence);
  return {"score: delta = scale (g(depth) + 5u) sum |q||k|, g(depth) = " + number(bound.growth_depth) +
              ", u = " + number(bound.unit) + "; then soft cap, ALiBi and mask, 2u(|added| + |s|) each",
          "exp: d = delta + eps + 2u(|s - m| + |m|), eps = " + number(bound.function_error),
          "a row shares G = g(keys) + R(eps + u) + 2u range + 2u|m| + (2u + eps) log l, g(keys) = " +
              number(bound.growth_keys) + "; R: rises of the maximum + 4 + log2 keys",
          stored,
          "E = (1 + D)(sum p(e^d - 1 + G + t)|v| + (2 keys + 4) eta) + (D + eps + 2u)|o|, D = sum p(e^d - 1 + tau) + G "
          "(Blanchard, "
          "Higham, Higham 2021; Higham 2002, section 3.1)",
          std::string("log-sum-exp: E = -log(1 - D) + eps|log l| + 4u(|m| + |log l| + |L|)") +
              (problem.log_base == LogarithmBase::two
                   ? ", to base 2 by contract: log2 e times (E + (eps + 4u)(|m| + |log l|))"
                   : "")};
}

}  // namespace assay::inline v0
