#pragma once

#include <string>
#include <vector>

#include "assay/kernels/attention/bound.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The operands of the gradients of an attention, by position; the first seven are those of the attention.
struct AttentionBackwardOperand {
  /// Positions of the operands.
  enum Position {
    query,
    key,
    value,
    additive_mask,
    slopes,
    query_starts,
    key_lengths,
    output_gradient,
    query_gradient,
    key_gradient,
    value_gradient,
    count
  };
};

/// The gradients of query, key and value are asked for, given that of the output. What holds for an attention holds
/// here; beyond it
/// - `weights`: weights and the gradients of scores are rounded to it before the last products;
/// - `output`: the output's own format, in which a kernel may have kept the output from which it takes Σ
///   gradient·output;
/// - caches (paged storage, scales) have no gradients. Rows that see nothing add nothing.
[[nodiscard]] inline Result<void> check_backward(const AttentionProblem& problem) {
  if (auto checked = check(problem); !checked) return checked;
  if (problem.storage == AttentionStorage::paged)
    return failure(ErrorKind::invalid, "storage is paged; gradients of a cache are not defined");
  if (problem.key_value_scale != KeyValueScale::none)
    return failure(ErrorKind::invalid,
                   "key_value_scale is set; gradients of quantized keys and values are not defined");
  return {};
}

/// The operands of the attention itself, for what is common to both.
[[nodiscard]] inline OperandArray attention_operands_of(const OperandArray& operands) {
  OperandArray array;
  array.count = AttentionOperand::count;
  for (int position = 0; position < AttentionBackwardOperand::output_gradient; ++position)
    array[position] = operands[position];
  return array;
}

}  // namespace assay::inline v0
