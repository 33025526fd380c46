#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/attention_backward/problem.hpp"

namespace assay::inline v0 {

/// What portable gradients share: scores, and each row's log-sum-exp and Σ gradient·output in single precision.
struct PortableAttentionGradient {
  AttentionLayout layout;
  Operand gradient;
  float* sums;    ///< one a row
  float* deltas;  ///< Σ gradient·output, one a row

  /// One element of a vector that begins at `place`.
  [[nodiscard]] ASSAY_FUNCTION static float element(const Operand& operand, Index place, Index c) {
    return static_cast<float>(operand.format.load(operand.data, place + c * operand.strides[operand.rank - 1]));
  }
  /// +∞ as a float, on devices, too.
  [[nodiscard]] ASSAY_FUNCTION static float infinity() { return static_cast<float>(AttentionBound::infinity()); }

  /// The score of a key, and the soft cap's derivative.
  [[nodiscard]] ASSAY_FUNCTION float score(const AttentionRow& row, Index key, float& slack) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const float dot =
        product(queries, layout.query_place(queries, row), keys, layout.key_place(keys, row, key), layout.depth);
    float score = dot * static_cast<float>(layout.scale);
    slack = 1;
    if (layout.soft_cap > 0) {
      const float bent = std::tanh(score / static_cast<float>(layout.soft_cap));
      slack = 1 - bent * bent;
      score = static_cast<float>(layout.soft_cap) * bent;
    }
    const double slope = layout.slope(row);
    if (slope != 0) score += static_cast<float>(layout.position_bias(slope, row, key));
    if (layout.operand(AttentionOperand::additive_mask).present()) score += static_cast<float>(layout.mask(row, key));
    return score;
  }
  /// Σ_c gradient·value.
  [[nodiscard]] ASSAY_FUNCTION float weight_gradient(const AttentionRow& row, Index key) const {
    const Operand& values = layout.operand(AttentionOperand::value);
    return product(gradient, layout.query_place(gradient, row), values, layout.key_place(values, row, key),
                   layout.value_depth);
  }
  /// An inner product in single precision.
  [[nodiscard]] ASSAY_FUNCTION static float product(const Operand& a, Index a_place, const Operand& b, Index b_place,
                                                    Index length) {
    float sum = 0;
    for (Index c = 0; c < length; ++c) sum += element(a, a_place, c) * element(b, b_place, c);
    return sum;
  }
};

/// Makes the statistics of one row: log-sum-exp and Σ gradient·output.
struct PortableGradientStatistics {
  PortableAttentionGradient shared;  ///< what all share

  /// The row of that number.
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionRow row = shared.layout.row(static_cast<Index>(index));
    float maximum = -shared.infinity(), sum = 0, delta = 0, slack = 1;
    for (Index key = row.first; key < row.last; ++key) {
      const float own = shared.score(row, key, slack);
      if (own > maximum || is_nan(own)) maximum = own;
    }
    for (Index key = row.first; key < row.last && maximum != -shared.infinity(); ++key) {
      const float own = shared.score(row, key, slack);
      if (own == -shared.infinity()) continue;
      const float weight = std::exp(own - maximum);
      sum += weight;
      delta += weight * shared.weight_gradient(row, key);
    }
    shared.sums[index] = maximum == -shared.infinity() ? maximum : maximum + std::log(sum);
    shared.deltas[index] = delta / sum;
  }
};

/// Makes the gradient of one query.
struct PortableQueryGradient {
  PortableAttentionGradient shared;  ///< what all share
  Operand output;                    ///< the gradient of the queries

  /// The row of that number.
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionRow row = shared.layout.row(static_cast<Index>(index));
    const Operand& keys = shared.layout.operand(AttentionOperand::key);
    const Index place = shared.layout.query_place(output, row), stride = output.strides[output.rank - 1];
    for (Index start = 0; start < shared.layout.depth; start += columns) {
      const Index width = shared.layout.depth - start < columns ? shared.layout.depth - start : columns;
      float sums[columns] = {};
      for (Index key = row.first; key < row.last && shared.sums[index] != -shared.infinity(); ++key) {
        float slack = 1;
        const float score = shared.score(row, key, slack);
        if (score == -shared.infinity()) continue;
        const float change =
            std::exp(score - shared.sums[index]) * (shared.weight_gradient(row, key) - shared.deltas[index]) * slack;
        const Index from = shared.layout.key_place(keys, row, key);
        for (Index c = 0; c < width; ++c) sums[c] += change * shared.element(keys, from, start + c);
      }
      for (Index c = 0; c < width; ++c)
        output.format.store(output.data, place + (start + c) * stride,
                            static_cast<float>(shared.layout.scale) * sums[c]);
    }
  }

  static constexpr int columns = 64;  ///< elements of the depth at a time
};

/// Makes the gradients of one key and its value.
struct PortableKeyGradient {
  PortableAttentionGradient shared;  ///< what all share
  /// The gradients of the keys and of the values.
  Operand key_output, value_output;

  /// The key of that number.
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionLayout& layout = shared.layout;
    const Index token = static_cast<Index>(index);
    const auto [sequence, head, key] = layout.key(token);
    for (Index start = 0; start < layout.depth || start < layout.value_depth; start += columns)
      sum(sequence, head, key, token, start);
  }

  static constexpr int columns = 64;  ///< elements of the depth at a time

 private:
  ASSAY_FUNCTION void sum(Index sequence, Index head, Index key, Index token, Index start) const {
    const AttentionLayout& layout = shared.layout;
    const Operand& queries = layout.operand(AttentionOperand::query);
    float of_key[columns] = {}, of_value[columns] = {};
    for (Index h = head * layout.group(); h < (head + 1) * layout.group(); ++h)
      for (Index query = 0; query < layout.queries_of(sequence); ++query) {
        const AttentionRow row = layout.row(sequence, h, query);
        const Index statistics = layout.output_row(row);
        if (key < row.first || key >= row.last || shared.sums[statistics] == -shared.infinity()) continue;
        float slack = 1;
        const float score = shared.score(row, key, slack);
        if (score == -shared.infinity()) continue;
        const float weight = std::exp(score - shared.sums[statistics]),
                    change = weight * (shared.weight_gradient(row, key) - shared.deltas[statistics]) * slack;
        const Index place = layout.query_place(queries, row), from = layout.query_place(shared.gradient, row);
        for (Index c = start; c < start + columns && c < layout.depth; ++c)
          of_key[c - start] += change * shared.element(queries, place, c);
        for (Index c = start; c < start + columns && c < layout.value_depth; ++c)
          of_value[c - start] += weight * shared.element(shared.gradient, from, c);
      }
    for (Index c = start; c < start + columns && c < layout.depth; ++c)
      key_output.store(token * layout.depth + c, static_cast<float>(layout.scale) * of_key[c - start]);
    for (Index c = start; c < start + columns && c < layout.value_depth; ++c)
      value_output.store(token * layout.value_depth + c, of_value[c - start]);
  }
};

/// Gradients of an attention for any parallel backend and formats, written to be read. It is validated like everybody
/// else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_attention_backward(B& backend, typename B::Stream& stream,
                                                       const AttentionProblem& problem, const OperandArray& operands) {
  using Position = AttentionBackwardOperand;
  const Operand& gradient = operands[Position::output_gradient];
  const auto rows = static_cast<std::size_t>(operands[Position::query].size() / problem.depth),
             tokens = static_cast<std::size_t>(operands[Position::key].size() / problem.depth);
  auto statistics = backend.template allocate<float>(2 * rows + 1);
  if (!statistics) return statistics.propagate();
  detail::WaitAtEnd work_on_them(backend, stream);
  const PortableAttentionGradient shared{AttentionLayout(problem, attention_operands_of(operands)), gradient,
                                         statistics.value().data(), statistics.value().data() + rows};
  if (auto run = backend.parallel_for(stream, rows, PortableGradientStatistics{shared}); !run) return run;
  if (auto run = backend.parallel_for(stream, rows, PortableQueryGradient{shared, operands[Position::query_gradient]});
      !run)
    return run;
  if (auto run = backend.parallel_for(
          stream, tokens,
          PortableKeyGradient{shared, operands[Position::key_gradient], operands[Position::value_gradient]});
      !run)
    return run;
  return work_on_them.wait();
}

}  // namespace assay::inline v0
