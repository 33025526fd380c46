#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/attention/layout.hpp"

namespace assay::inline v0 {

/// One row in single precision, its maximum and sum found in one pass over the keys (Milakov and Gimelshein, 2018), its
/// output in a second.
struct PortableAttentionRow {
  AttentionLayout layout;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionRow row = layout.row(static_cast<Index>(index));
    const float infinity = static_cast<float>(detail::double_of(binary64_layout.infinity_bits())),
                slope = static_cast<float>(layout.slope(row));
    float maximum = -infinity, sum = 0;
    for (Index key = row.first; key < row.last; ++key) {
      const float own = score(row, key, slope);
      if (own == -infinity) continue;
      const float higher = own > maximum || is_nan(own) ? own : maximum;
      sum = sum * std::exp(maximum - higher) + std::exp(own - higher);
      maximum = higher;
    }
    const bool nothing = maximum == -infinity;
    const Operand& sums = layout.operand(AttentionOperand::log_sum_exp);
    const float log_of_base = layout.base_two ? 0.693147181F : 1;
    if (sums.present())
      sums.store(layout.sum_element(row, layout.tokens()),
                 nothing ? -infinity : (maximum + std::log(sum)) / log_of_base);

    const Operand &output = layout.operand(AttentionOperand::output), &values = layout.operand(AttentionOperand::value);
    const Index output_place = layout.query_place(output, row);
    const float scale = static_cast<float>(layout.stored_scale(AttentionOperand::value_scale, row.key_head));
    for (Index start = 0; start < layout.value_depth; start += columns) {
      const Index width = layout.value_depth - start < columns ? layout.value_depth - start : columns;
      float products[columns] = {};
      for (Index key = row.first; key < row.last && !nothing; ++key) {
        const float weight = std::exp(score(row, key, slope) - maximum) / sum;
        const Index place = layout.key_place(values, row, key);
        for (Index c = 0; c < width; ++c)
          products[c] += weight * static_cast<float>(values.format.load(
                                      values.data, place + (start + c) * values.strides[values.rank - 1]));
      }
      for (Index c = 0; c < width; ++c)
        output.format.store(output.data, output_place + (start + c) * output.strides[output.rank - 1],
                            nothing ? (layout.zeros ? 0 : infinity - infinity) : scale * products[c]);
    }
  }

 private:
  static constexpr int columns = 128;

  [[nodiscard]] ASSAY_FUNCTION float score(const AttentionRow& row, Index key, float slope) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const Index query_place = layout.query_place(queries, row), key_place = layout.key_place(keys, row, key);
    float dot = 0;
    for (Index c = 0; c < layout.depth; ++c)
      dot +=
          static_cast<float>(queries.format.load(queries.data, query_place + c * queries.strides[queries.rank - 1])) *
          static_cast<float>(keys.format.load(keys.data, key_place + c * keys.strides[keys.rank - 1]));
    float score = dot * static_cast<float>(layout.stored_scale(AttentionOperand::key_scale, row.key_head)) *
                  static_cast<float>(layout.scale);
    if (layout.soft_cap > 0)
      score = static_cast<float>(layout.soft_cap) * std::tanh(score / static_cast<float>(layout.soft_cap));
    if (slope != 0) score += static_cast<float>(layout.position_bias(static_cast<double>(slope), row, key));
    if (layout.operand(AttentionOperand::additive_mask).present()) score += static_cast<float>(layout.mask(row, key));
    return score;
  }
};

/// An attention for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_attention(B& backend, typename B::Stream& stream, const AttentionProblem& problem,
                                              const OperandArray& operands) {
  const Operand& output = operands[AttentionOperand::output];
  const Index rows = problem.storage == AttentionStorage::packed ? output.extents[0] * output.extents[1]
                                                                 : problem.batch * problem.heads * problem.queries;
  return backend.parallel_for(stream, static_cast<std::size_t>(rows),
                              PortableAttentionRow{AttentionLayout(problem, operands)});
}

}  // namespace assay::inline v0
