#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/kernels/attention/attention.hpp"
#include "assay/tolerance/rounding_error.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

/// What attention kernels keep without a reference. Queries and keys are made small, so that every key counts.
template <>
struct OperationRelations<Attention> {
  using Launch = RelatedLaunch<Attention>;  ///< of this operation
  using Operand = AttentionOperand;         ///< positions of operands

  [[nodiscard]] static std::vector<Relation<Attention>> all() {
    return {values_scaled(), causal(), keys_reversed(), equal_keys()};
  }

 private:
  static bool dense(const AttentionProblem& problem) {
    return problem.storage == AttentionStorage::dense && problem.key_lengths.empty() && !problem.alibi &&
           problem.additive_mask == AdditiveMask::none && problem.key_value_scale == KeyValueScale::none &&
           problem.batch > 0 && problem.heads > 0 && problem.queries > 0 && problem.keys > 0 && problem.value_depth > 0;
  }
  static bool every_key_is_seen(const AttentionProblem& problem) {
    return dense(problem) && !problem.causal && problem.window_left < 0 && problem.window_right < 0;
  }
  /// |q|, |k| ≤ 1/2 and 1/4 ≤ v < 4.
  static void prepare(Launch& first) {
    for (const int operand : {Operand::query, Operand::key})
      detail::change(first.operands[static_cast<std::size_t>(operand)],
                     [](double x) { return detail::moderate(x) / 8; });
    detail::change(first.operands[Operand::value], [](double x) { return std::fabs(detail::moderate(x)); });
  }
  /// The largest error of an element of the output, from |q|, |k| ≤ 1/2 and |v| < 4 alone; see `AttentionBound`.
  [[nodiscard]] static double error(const AttentionProblem& problem, const Arithmetic& arithmetic) {
    const double u = arithmetic.unit_roundoff(), function = arithmetic.function_error(),
                 depth = static_cast<double>(problem.depth), keys = static_cast<double>(problem.keys);
    const double scale = problem.scale > 0 ? problem.scale : 1 / std::sqrt(depth), score = scale * depth / 4;
    const double growth_depth =
                     growth_factor(problem.depth, 1, arithmetic.accumulation, RoundingModel::worst_case).value,
                 growth_keys = growth_factor(problem.keys, 1, arithmetic.accumulation, RoundingModel::worst_case).value;
    const double scores = score * (growth_depth + 8 * u + 4 * problem.scores.unit_roundoff()) +
                          (problem.soft_cap > 0 ? 4 * (u + function) * (score + problem.soft_cap) : 0);
    const double exponential = 2 * (scores + function + 8 * u * score) + growth_keys +
                               (4 + std::log2(keys + 1)) * (function + u) + 4 * u * score +
                               problem.weights.unit_roundoff() + problem.weights.min_subnormal() * keys;
    return 4 * (std::expm1(2 * exponential) + growth_keys + function + 4 * u + problem.output.unit_roundoff() * 1.01) +
           problem.output.min_subnormal() + 8 * keys * arithmetic.accumulation.min_subnormal;
  }
  [[nodiscard]] static std::vector<RelatedValues> outputs(const std::vector<double>& found, std::vector<double> due,
                                                          double allowed) {
    const std::size_t elements = due.size();
    return {{"output", found, std::move(due),
             allowed > 0 ? std::vector<double>(elements, allowed < 1 ? allowed : 0x1p1000) : std::vector<double>()}};
  }

  [[nodiscard]] static Relation<Attention> values_scaled() {
    Relation<Attention> relation;
    relation.name = "values_scaled";
    relation.statement = "4V gives 4 times the output";
    relation.blind_to = "everything about the weights, wrong places, whatever is linear in V";
    relation.needs_range = true;
    relation.holds = dense;
    relation.prepare = prepare;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      detail::scale(second.operands[Operand::value], 4);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      return outputs(second.operands[Operand::output], detail::scaled(first.operands[Operand::output], 4), 0);
    };
    return relation;
  }

  [[nodiscard]] static Relation<Attention> causal() {
    Relation<Attention> relation;
    relation.name = "causal";
    relation.statement =
        "queries before the last key do not see it: with another key and value there, their outputs are the same";
    relation.blind_to = "whatever earlier keys do, masks that hide too much, rows of the last query";
    relation.holds = [](const AttentionProblem& problem) {
      return dense(problem) && problem.causal && problem.keys > 1;
    };
    relation.prepare = prepare;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      const AttentionProblem& problem = first.problem;
      for (const auto& [operand, depth] : {std::pair{static_cast<int>(Operand::key), problem.depth},
                                           std::pair{static_cast<int>(Operand::value), problem.value_depth}})
        for (Index row = problem.keys - 1; row < problem.batch * problem.key_heads * problem.keys; row += problem.keys)
          for (Index d = 0; d < depth; ++d) {
            double& x = second.operands[static_cast<std::size_t>(operand)][static_cast<std::size_t>(row * depth + d)];
            x = operand == Operand::key ? -x : x / 2 + 1;
          }
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      const AttentionProblem& problem = first.problem;
      RelatedValues values{"output", second.operands[Operand::output], first.operands[Operand::output], {}};
      const AttentionLayout layout(problem, {});
      for (Index row = 0; row < problem.batch * problem.heads * problem.queries; ++row)
        values.allowed.insert(values.allowed.end(), static_cast<std::size_t>(problem.value_depth),
                              layout.row(row).last < problem.keys ? 0 : 0x1p1000);
      return std::vector<RelatedValues>{values};
    };
    return relation;
  }

  [[nodiscard]] static Relation<Attention> keys_reversed() {
    Relation<Attention> relation;
    relation.name = "keys_reversed";
    relation.statement = "keys in reverse, with their values, give the same outputs, within the errors of both";
    relation.blind_to =
        "whatever treats all keys alike: a wrong scale, places of outputs, heads, narrow weights, zeros";
    relation.exact = false;
    relation.holds = every_key_is_seen;
    relation.prepare = prepare;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      second.operands[Operand::key] =
          detail::reversed(first.operands[Operand::key], first.problem.keys, first.problem.depth);
      second.operands[Operand::value] =
          detail::reversed(first.operands[Operand::value], first.problem.keys, first.problem.value_depth);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic& arithmetic) {
      return outputs(second.operands[Operand::output], first.operands[Operand::output],
                     2 * error(first.problem, arithmetic));
    };
    return relation;
  }

  [[nodiscard]] static Relation<Attention> equal_keys() {
    Relation<Attention> relation;
    relation.name = "equal_keys";
    relation.statement = "where all keys are equal, the output is the mean of the values";
    relation.blind_to = "everything about scores: scale, cap, queries, rescaling to a maximum";
    relation.exact = false;
    relation.holds = every_key_is_seen;
    relation.prepare = [](Launch& first) {
      prepare(first);
      std::vector<double>& keys = first.operands[Operand::key];
      for (std::size_t e = 0; e < keys.size(); ++e) keys[e] = keys[e % static_cast<std::size_t>(first.problem.depth)];
    };
    relation.relate = [](const Launch& first, const Launch&, const Arithmetic& arithmetic) {
      const AttentionProblem& problem = first.problem;
      std::vector<double> due;
      for (Index head = 0; head < problem.batch * problem.heads; ++head) {
        const Index key_head =
            head / problem.heads * problem.key_heads + head % problem.heads / (problem.heads / problem.key_heads);
        std::vector<double> mean(static_cast<std::size_t>(problem.value_depth));
        for (Index key = 0; key < problem.keys; ++key)
          for (std::size_t d = 0; d < mean.size(); ++d)
            mean[d] +=
                first.operands[Operand::value]
                              [static_cast<std::size_t>((key_head * problem.keys + key) * problem.value_depth) + d] /
                static_cast<double>(problem.keys);
        for (Index query = 0; query < problem.queries; ++query) due.insert(due.end(), mean.begin(), mean.end());
      }
      return outputs(first.operands[Operand::output], std::move(due), error(problem, arithmetic));
    };
    return relation;
  }
};

}  // namespace assay::inline v0
